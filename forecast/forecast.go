package forecast

import (
	"errors"

	"github.com/goldenarch/goldenarch/cluster"
	"github.com/goldenarch/goldenarch/expansion"
	"github.com/goldenarch/goldenarch/hyperconverged"
)

// Input is what is foretold about.
type Input struct {
	CR      *hyperconverged.CR
	Table   hyperconverged.Table
	Cluster cluster.Architectures
	// Schedule is status.dataImportSchedule of the live CR: HCO draws it by lot
	// and gives it to all predefined templates. "" if it is not known.
	Schedule string
	// Bundle are the common templates of the cluster's SSP; nil for those that
	// SSP ships.
	Bundle expansion.Bundle
	// Namespace is where SSP keeps golden images, a constant of its build; "" for
	// upstream's.
	Namespace string
}

// Forecast is what the operators make of a CR. Fields below an error or a
// refusal are nil: it never gets that far.
type Forecast struct {
	WorkloadArchitectures       []string `json:"workloadArchitectures"`
	ControlPlaneArchitectures   []string `json:"controlPlaneArchitectures"`
	DefaultWorkloadArchitecture string   `json:"defaultWorkloadArchitecture"`

	// Error is HCO's failure, "" if it does not fail.
	Error            string `json:"error"`
	MultiArchEnabled bool   `json:"multiArchEnabled"`
	// Status is what HCO writes to status.dataImportCronTemplates.
	Status []Status `json:"status"`

	// SSPTemplates are the templates that HCO gives to SSP.
	SSPTemplates                   []expansion.Object `json:"sspTemplates"`
	SSPEnableMultipleArchitectures *bool              `json:"sspEnableMultipleArchitectures"`
	SSPCluster                     *SSPCluster        `json:"sspCluster"`
	// SSPRejected is why SSP's webhook refuses the SSP CR, SSPError why its
	// Reconcile fails on every pass, SSPRandom why its result differs from run to
	// run; "" each if not.
	SSPRejected string `json:"sspRejected"`
	SSPError    string `json:"sspError"`
	SSPRandom   string `json:"sspRandom"`

	DataImportCrons  []expansion.Object `json:"dataImportCrons"`
	DataSourcesBySSP []expansion.Object `json:"dataSourcesBySSP"`
	// DataSourcesOfDICTsNotGiven are those of templates that HCO withheld.
	DataSourcesOfDICTsNotGiven []expansion.Object `json:"dataSourcesOfDICTsNotGiven"`
	// CDIVerdicts is why CDI's webhook refuses a cron, "" if it admits it, by
	// the cron's name.
	CDIVerdicts         map[string]string  `json:"cdiVerdicts"`
	DataSourcesAfterCDI []expansion.Object `json:"dataSourcesAfterCDI"`
}

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

// Foretell follows a CR through the operators.
func Foretell(in Input) Forecast {
	if in.CR.Unconvertible != nil {
		return Forecast{
			WorkloadArchitectures: []string{}, ControlPlaneArchitectures: []string{}, Error: "conversion: " + in.CR.Unconvertible.Error(),
		}
	}
	if in.Bundle == nil {
		in.Bundle = expansion.Shipped()
	}
	if in.Namespace == "" {
		in.Namespace = expansion.UpstreamNamespace
	}
	gate := in.CR.Gate.On()
	f := Forecast{
		WorkloadArchitectures:       in.Cluster.Workload.Strings(),
		ControlPlaneArchitectures:   in.Cluster.ControlPlane.Strings(),
		DefaultWorkloadArchitecture: string(in.Cluster.Default),
		MultiArchEnabled:            gate,
	}
	merged, err := hyperconverged.Merge(in.CR, in.Table.WithSchedule(in.Schedule), in.Cluster.Workload)
	if err != nil {
		f.Error = err.Error()
		if errors.Is(err, hyperconverged.ErrPanic) {
			f.Error = "panic: runtime error: invalid memory address or nil pointer dereference"
		}
		return f
	}
	f.Status = statusOf(merged)
	templates, withheld := giveToSSP(merged, gate)
	f.SSPTemplates = objectsOf(templates)
	f.SSPEnableMultipleArchitectures = &gate
	f.SSPCluster = sspCluster(in.Cluster)
	f.foretellSSP(ssp{
		SSP:       expansion.SSP{Order: in.Cluster.SSP(), Bundle: in.Bundle, Namespace: in.Namespace},
		templates: templates, withheld: withheld, gate: gate, cluster: in.Cluster,
	})
	return f
}

func statusOf(merged []hyperconverged.Merged) []Status {
	out := make([]Status, 0, len(merged))
	for _, m := range merged {
		s := Status{
			Name: m.Name(), OriginalSupportedArchitectures: m.Original, CommonTemplate: m.Common, Modified: m.Modified,
		}
		if m.Metadata != nil {
			s.Namespace = m.Metadata.Namespace
		}
		if claim, ok := m.Annotation(hyperconverged.ClaimAnnotation); ok {
			s.Architectures = &claim
		}
		if m.Withheld {
			no := "False"
			s.Deployed = &no
		}
		out = append(out, s)
	}
	return out
}
