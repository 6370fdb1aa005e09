package forecast

import (
	"maps"

	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// templatesForSSP turns HCO's templates into SSP's. It also returns those that HCO does not
// deploy because no architecture remains (hco golden_images.go: hcoDictToSSP).
func (in Input) templatesForSSP(merged []hyperconverged.Merged, gate bool) (given, withheld []expansion.Template) {
	for _, m := range merged {
		t := expansion.Template{}
		if m.Metadata != nil {
			t.Metadata = *m.Metadata
		}
		t.Metadata.Annotations = maps.Clone(t.Metadata.Annotations)
		if t.Metadata.Annotations == nil {
			t.Metadata.Annotations = map[string]string{}
		}
		if m.Spec != nil {
			t.Spec = *m.Spec // code that changes the spec copies it first
		}
		if m.Withheld {
			withheld = append(withheld, t)
			continue
		}
		if _, ok := t.Metadata.Annotations[hyperconverged.BindAnnotation]; !ok && in.Release.Since(firstBind) {
			t.Metadata.Annotations[hyperconverged.BindAnnotation] = "true"
		}
		if !gate && in.Release.Since(firstMultiArch) {
			delete(t.Metadata.Annotations, hyperconverged.ClaimAnnotation)
		}
		given = append(given, t)
	}
	return given, withheld
}

// sspCluster returns spec.cluster of the SSP CR. HCO sets it if any architecture is known,
// whether the gate is on or off (hco controllers/handlers/ssp.go).
func sspCluster(a cluster.Architectures) *SSPCluster {
	if len(a.Workload)+len(a.ControlPlane) == 0 {
		return nil
	}
	return &SSPCluster{ControlPlaneArchitectures: a.ControlPlane.Strings(), WorkloadArchitectures: a.Workload.Strings()}
}

func objectsOf(templates []expansion.Template) []expansion.Object {
	out := make([]expansion.Object, 0, len(templates))
	for _, t := range templates {
		out = append(out, expansion.NewObject(map[string]any{"metadata": t.Metadata, "spec": t.Spec}))
	}
	return out
}
