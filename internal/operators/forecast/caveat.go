package forecast

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// The caveats: what the forecast does not cover.
const (
	// neverReset applies to all releases with the gauges (hco metrics: only tests call
	// Reset).
	neverReset = "HCO never resets the metrics behind its two alerts on single templates: a firing alert continues after you disable, " +
		"remove or rename the template, or turn off the gate, until the HCO pod restarts"
	// notWritten applies if SSP's webhook refuses the CR.
	notWritten = "SSP refuses its CR, so HCO updates neither status.dataImportCronTemplates nor its metrics; " +
		"the earlier values, their alerts and SSP's objects stay"
)

// caveats returns what the forecast cannot know of this input.
func (in Input) caveats() []string {
	out := []string{}
	if _, patched := in.CR.Annotations[hyperconverged.SSPPatchAnnotation]; patched {
		out = append(out, fmt.Sprintf("HCO applies the JSON patch of the annotation %s to the SSP CR last, but this prediction does not: "+
			"everything from sspTemplates on can differ", hyperconverged.SSPPatchAnnotation))
	}
	if in.Release.Since(firstMultiArch) {
		out = append(out, neverReset)
	}
	if !in.Release.Since(firstExact) {
		out = append(out, fmt.Sprintf("the prediction is exact for HCO 1.19 and newer; for HCO %s, the common templates of SSP "+
			"and the content of the predefined templates can differ", in.Release))
	}
	if in.Schedule == "" && in.CR.CommonImport && len(in.Table.Templates) > 0 {
		out = append(out, "HCO picks a random schedule for predefined templates (status.dataImportSchedule); "+
			"this prediction shows the default")
	}
	if len(in.Cluster.SSP()) == 0 && !in.CR.Gate.On() {
		out = append(out, "goldenarch knows no architecture of the cluster: SSP uses the one that it runs on, here amd64")
	}
	return out
}
