package forecast

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// What the forecast does not cover.
const (
	// neverReset is so since the gauges are there (hco metrics: Reset is called
	// in tests only).
	neverReset = "HCO never resets the gauges behind its two alerts on single templates: one that fires goes on when its template is disabled, " +
		"removed or renamed, or the gate is turned off, until the HCO pod restarts"
	// notWritten goes with a refusal by SSP's webhook.
	notWritten = "SSP refuses what HCO gives it: HCO writes neither status.dataImportCronTemplates nor the gauges, " +
		"and those of before, their alerts and SSP's objects stay as they were"
)

// caveats returns what the forecast cannot know of this input.
func (in Input) caveats() []string {
	out := []string{}
	if _, patched := in.CR.Annotations[hyperconverged.SSPPatchAnnotation]; patched {
		out = append(out, fmt.Sprintf("HCO applies the JSON patch of the annotation %s to the SSP CR last of all, and the forecast does not: "+
			"it is void from sspTemplates on", hyperconverged.SSPPatchAnnotation))
	}
	if in.Release.Since(firstMultiArch) {
		out = append(out, neverReset)
	}
	if !in.Release.Since(firstExact) {
		out = append(out, fmt.Sprintf("the forecast is exact for HCO 1.19 and newer; for HCO %s the common templates of SSP, "+
			"and what is in the built-in templates beside their names, may differ", in.Release))
	}
	if in.Schedule == "" && in.CR.CommonImport && len(in.Table.Templates) > 0 {
		out = append(out, "HCO draws the schedule of its predefined templates by lot, once for each cluster (status.dataImportSchedule); "+
			"here stands the one of its file")
	}
	if len(in.Cluster.SSP()) == 0 && !in.CR.Gate.On() {
		out = append(out, "no architecture of the cluster is known: SSP takes the one that it runs on itself, here amd64")
	}
	return out
}
