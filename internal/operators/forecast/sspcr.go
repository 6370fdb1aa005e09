package forecast

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
	kjson "sigs.k8s.io/json"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// KindSSP is the kind of the CR that SSP reads. HCO writes this CR to the cluster.
const KindSSP = "SSP"

// SSPTemplatesPath is where the SSP CR keeps its templates.
const SSPTemplatesPath = "spec.commonTemplates.dataImportCronTemplates"

// sspVersions are the API versions of the SSP CR that have templates.
var sspVersions = []string{"ssp.kubevirt.io/v1beta2", "ssp.kubevirt.io/v1beta3"}

// IsSSP reports whether an object of this apiVersion and kind is an SSP CR of any version.
func IsSSP(apiVersion, kind string) bool {
	return kind == KindSSP && strings.HasPrefix(apiVersion, "ssp.kubevirt.io/")
}

// SSPCR is an SSP CR, with the fields about golden images (ssp api/v1beta3/ssp_types.go).
type SSPCR struct {
	APIVersion string `json:"apiVersion"`
	Metadata   struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
	Spec struct {
		EnableMultipleArchitectures *bool `json:"enableMultipleArchitectures"`
		Cluster                     *struct {
			ControlPlaneArchitectures []arch.Arch `json:"controlPlaneArchitectures"`
			WorkloadArchitectures     []arch.Arch `json:"workloadArchitectures"`
		} `json:"cluster"`
		CommonTemplates struct {
			Templates []struct {
				Metadata hyperconverged.TemplateMetadata `json:"metadata"`
				Spec     cdiv1.DataImportCronSpec        `json:"spec"`
			} `json:"dataImportCronTemplates"`
		} `json:"commonTemplates"`
	} `json:"spec"`
}

// ParseSSP reads an SSP CR from its JSON. The error says what is expected.
func ParseSSP(data []byte) (*SSPCR, error) {
	var cr SSPCR
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &cr); err != nil {
		return nil, fmt.Errorf("read the SSP CR: %w", err)
	}
	if slices.Contains(sspVersions, cr.APIVersion) {
		return &cr, nil
	}
	return nil, fmt.Errorf("unknown apiVersion %q: expected %s", cr.APIVersion, strings.Join(sspVersions, " or "))
}

// cluster returns the architectures that the CR states.
func (cr *SSPCR) cluster() cluster.Architectures {
	if cr.Spec.Cluster == nil {
		return cluster.Architectures{}
	}
	return cluster.Architectures{
		ControlPlane: arch.NewSet(cr.Spec.Cluster.ControlPlaneArchitectures...),
		Workload:     arch.NewSet(cr.Spec.Cluster.WorkloadArchitectures...),
	}
}

// PredictSSP predicts what SSP and CDI do with an SSP CR. Without HCO, nothing merges the
// templates or filters architectures. PredictSSP uses only the parts of the input that do
// not belong to the HyperConverged.
func PredictSSP(cr *SSPCR, in Input) Forecast {
	in.Cluster = cr.cluster()
	if in.Bundle == nil {
		in.Bundle = expansion.Shipped()
	}
	in.Namespace = cmp.Or(in.Namespace, expansion.UpstreamNamespace)
	s := in.ssp()
	s.gate = s.multiArch && cr.Spec.EnableMultipleArchitectures != nil && *cr.Spec.EnableMultipleArchitectures
	for _, t := range cr.Spec.CommonTemplates.Templates {
		s.templates = append(s.templates, expansion.Template{Metadata: t.Metadata, Spec: t.Spec})
	}
	f := Forecast{
		WorkloadArchitectures: in.Cluster.Workload.Strings(), ControlPlaneArchitectures: in.Cluster.ControlPlane.Strings(),
		MultiArchEnabled: s.gate, SSPEnableMultipleArchitectures: cr.Spec.EnableMultipleArchitectures,
		Alerts: []Alert{}, Caveats: []string{},
	}
	if in.Platform == v1alpha1.Kubernetes {
		f.NoImagesBecause = "SSP runs only on OpenShift: nothing reads its CR on plain Kubernetes"
		return f
	}
	if s.multiArch {
		f.SSPCluster = sspCluster(in.Cluster)
	}
	if !in.OutcomesOnly {
		f.SSPTemplates = objectsOf(s.templates)
	}
	sources := f.predictSSP(s, in.OutcomesOnly)
	f.Templates = s.sspTemplateOutcomes(sources)
	if f.SSPCluster == nil && !s.gate {
		f.Caveats = append(f.Caveats, "the CR has no spec.cluster: SSP uses the architecture that it runs on, here amd64")
	}
	return f
}
