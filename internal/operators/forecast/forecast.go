package forecast

import (
	"errors"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Forecast is what the operators do with a CR. The fields after an error or a refusal are
// nil, because the CR does not get that far.
type Forecast struct {
	// The architectures of the cluster, as HCO writes them to status.nodeInfo. The default
	// is "" before 1.19, where the field does not exist.
	WorkloadArchitectures       []string `json:"workloadArchitectures"`
	ControlPlaneArchitectures   []string `json:"controlPlaneArchitectures"`
	DefaultWorkloadArchitecture string   `json:"defaultWorkloadArchitecture"`
	// DefaultOfMachines is the architecture that KubeVirt gives a machine for which nothing
	// else states one. It is "" if it is unknown, and before 1.18, where HCO does not set it
	// (hco controllers/handlers/kubevirt.go).
	DefaultOfMachines arch.Arch `json:"-"`
	// WorkloadUnknown and ControlPlaneUnknown say that nothing states the architectures, so
	// that the list is empty only for want of facts.
	WorkloadUnknown     bool `json:"workloadUnknown,omitempty"`
	ControlPlaneUnknown bool `json:"controlPlaneUnknown,omitempty"`

	// NoImagesBecause is why no operator makes anything from the CR: the cluster is plain
	// Kubernetes, or the release does not serve the API version. Otherwise it is "".
	NoImagesBecause string `json:"nothing"`
	// Error is HCO's failure, "" if it does not fail.
	Error            string `json:"error"`
	MultiArchEnabled bool   `json:"multiArchEnabled"`
	// Status is what HCO writes to status.dataImportCronTemplates, once SSP has
	// accepted the SSP CR.
	Status []Status `json:"status"`

	// SSPTemplates are the templates that HCO passes to SSP.
	SSPTemplates                   []expansion.Object `json:"sspTemplates"`
	SSPEnableMultipleArchitectures *bool              `json:"sspEnableMultipleArchitectures"`
	SSPCluster                     *SSPCluster        `json:"sspCluster"`
	// SSPRejected is why SSP's webhook refuses the SSP CR. SSPError is why SSP's Reconcile
	// always fails. SSPRandom is why its result differs from run to run. Each is "" if this
	// does not happen.
	SSPRejected string `json:"sspRejected"`
	SSPError    string `json:"sspError"`
	SSPRandom   string `json:"sspRandom"`

	// DataImportCrons are the crons that SSP wants, including refused ones.
	DataImportCrons  []expansion.Object `json:"dataImportCrons"`
	DataSourcesBySSP []expansion.Object `json:"dataSourcesBySSP"`
	// DataSourcesOfDICTsNotGiven are the DataSources of templates that HCO does not deploy.
	DataSourcesOfDICTsNotGiven []expansion.Object `json:"dataSourcesOfDICTsNotGiven"`
	// CDIVerdicts is why CDI's webhook refuses a cron, by the cron's name; "" if it admits
	// the cron.
	CDIVerdicts         map[string]string  `json:"cdiVerdicts"`
	DataSourcesAfterCDI []expansion.Object `json:"dataSourcesAfterCDI"`

	// The same for each template, cron, reference and DataSource: what happens to it, and
	// why.
	Templates   []TemplateOutcome `json:"templates"`
	Crons       []CronOutcome     `json:"crons"`
	References  []Reference       `json:"references"`
	DataSources []DataSourceOwner `json:"dataSources"`
	// Blocked is why SSP's whole reconcile stops; nil if it does not.
	Blocked *Blocked `json:"blocked"`

	// Live compares the prediction with the present state of the cluster; nil if that is
	// unknown.
	Live []LiveTemplate `json:"live,omitempty"`

	// Alerts are the alerts that fire. Caveats are what the forecast does not cover or
	// cannot know. Neither is nil.
	Alerts  []Alert  `json:"alerts"`
	Caveats []string `json:"caveats"`
}

// Predict predicts what each operator does with a CR.
func Predict(in Input) Forecast {
	in = in.withDefaults()
	f := Forecast{WorkloadArchitectures: []string{}, ControlPlaneArchitectures: []string{}, Alerts: []Alert{}, Caveats: in.caveats()}
	if f.NoImagesBecause = in.noImagesBecause(); f.NoImagesBecause != "" {
		f.Caveats = []string{}
	}
	if in.CR.Unconvertible != nil {
		f.Error = "conversion: " + in.CR.Unconvertible.Error()
		return f
	}
	f.WorkloadArchitectures, f.ControlPlaneArchitectures = in.Cluster.Workload.Strings(), in.Cluster.ControlPlane.Strings()
	f.WorkloadUnknown, f.ControlPlaneUnknown = in.Cluster.WorkloadUnknown, in.Cluster.ControlPlaneUnknown
	if in.Release.Since(firstDefault) {
		f.DefaultWorkloadArchitecture = string(in.Cluster.Default)
	}
	if in.Release.Since(firstMachineDefault) {
		f.DefaultOfMachines = in.Cluster.Default
	}
	f.MultiArchEnabled = in.CR.Gate.On()
	if f.NoImagesBecause == "" {
		f.predictHCO(in)
	}
	return f
}

// predictHCO predicts what HCO makes from the CR, and what SSP and CDI make from that.
func (f *Forecast) predictHCO(in Input) {
	merged, err := hyperconverged.Merge(in.CR, in.Table, in.Cluster.Workload)
	if err != nil {
		f.Error = err.Error()
		if errors.Is(err, hyperconverged.ErrPanic) {
			f.Error = "panic: runtime error: invalid memory address or nil pointer dereference"
		}
		return
	}
	f.Status = in.statusOf(merged)
	if !in.Cluster.WorkloadUnknown {
		f.Live = compared(in, merged)
	}
	s := in.ssp()
	s.gate = f.MultiArchEnabled
	s.templates, s.withheld = in.templatesForSSP(merged, s.gate)
	if !in.OutcomesOnly {
		f.SSPTemplates = objectsOf(s.templates)
	}
	f.SSPEnableMultipleArchitectures = in.CR.GateAt(in.Release)
	if s.multiArch {
		f.SSPCluster = sspCluster(in.Cluster)
	}
	sources := f.predictSSP(s, in.OutcomesOnly)
	f.Templates = in.templateOutcomes(merged, s, sources)
	f.completeCrons(in)
	if f.SSPRejected == "" {
		f.Alerts = in.alerts(merged)
	} else {
		f.Caveats = append(f.Caveats, notWritten)
	}
}
