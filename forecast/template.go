package forecast

import (
	"maps"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/cluster"
	"github.com/goldenarch/goldenarch/hyperconverged"
)

// template is a DataImportCronTemplate as SSP has it.
type template struct {
	metadata hyperconverged.TemplateMetadata
	spec     cdiv1.DataImportCronSpec
}

// giveToSSP turns HCO's templates into SSP's, and names those that HCO
// withholds because no architecture is left (hco golden_images.go:
// hcoDictToSSP).
func giveToSSP(merged []hyperconverged.Merged, gate bool) (given, withheld []template) {
	for _, m := range merged {
		t := template{}
		if m.Metadata != nil {
			t.metadata = *m.Metadata
		}
		t.metadata.Annotations = maps.Clone(t.metadata.Annotations)
		if t.metadata.Annotations == nil {
			t.metadata.Annotations = map[string]string{}
		}
		if m.Spec != nil {
			t.spec = *m.Spec.DeepCopy()
		}
		if m.Withheld {
			withheld = append(withheld, t)
			continue
		}
		if _, ok := t.metadata.Annotations[hyperconverged.BindAnnotation]; !ok {
			t.metadata.Annotations[hyperconverged.BindAnnotation] = "true"
		}
		if !gate {
			delete(t.metadata.Annotations, hyperconverged.ClaimAnnotation)
		}
		given = append(given, t)
	}
	return given, withheld
}

// sspCluster returns spec.cluster of the SSP CR: set whenever an architecture
// is known, whatever the gate (hco controllers/handlers/ssp.go).
func sspCluster(a cluster.Architectures) *SSPCluster {
	if len(a.Workload)+len(a.ControlPlane) == 0 {
		return nil
	}
	return &SSPCluster{ControlPlaneArchitectures: a.ControlPlane.Strings(), WorkloadArchitectures: a.Workload.Strings()}
}

func objectsOf(templates []template) []Object {
	out := make([]Object, 0, len(templates))
	for _, t := range templates {
		out = append(out, newObject(map[string]any{"metadata": t.metadata, "spec": t.spec}))
	}
	return out
}
