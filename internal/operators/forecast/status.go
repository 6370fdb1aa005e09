package forecast

import "github.com/goldenarch/goldenarch/internal/operators/hyperconverged"

// Status is an entry of status.dataImportCronTemplates.
type Status struct {
	Name                           string  `json:"name"`
	Namespace                      string  `json:"namespace"`
	Architectures                  *string `json:"architectures"`
	OriginalSupportedArchitectures string  `json:"originalSupportedArchitectures"`
	Deployed                       *string `json:"deployed"`
	CommonTemplate                 bool    `json:"commonTemplate"`
	Modified                       bool    `json:"modified"`
}

// SSPCluster is spec.cluster of the SSP CR.
type SSPCluster struct {
	ControlPlaneArchitectures []string `json:"controlPlaneArchitectures"`
	WorkloadArchitectures     []string `json:"workloadArchitectures"`
}

func (in Input) statusOf(merged []hyperconverged.Merged) []Status {
	out := make([]Status, 0, len(merged))
	for _, m := range merged {
		s := Status{
			Name: m.Name(), OriginalSupportedArchitectures: m.Original, CommonTemplate: m.Common, Modified: m.Modified,
		}
		if m.Metadata != nil {
			s.Namespace = m.Metadata.Namespace
		}
		if claim, ok := m.Annotation(hyperconverged.ClaimAnnotation); ok && !in.withheldUnknown(m) {
			s.Architectures = &claim
		}
		if m.Withheld && !in.withheldUnknown(m) {
			no := "False"
			s.Deployed = &no
		}
		out = append(out, s)
	}
	return out
}
