package forecast

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
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
	// CPUModelOfMachines is the CPU model that KubeVirt gives a machine that names none; "" for
	// KubeVirt's own.
	CPUModelOfMachines string `json:"-"`
	// Release is the release that the forecast is for, and Namespace is that of the golden
	// images.
	Release   v1alpha1.Release `json:"-"`
	Namespace string           `json:"-"`
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
	f := Forecast{
		WorkloadArchitectures: []string{}, ControlPlaneArchitectures: []string{}, Alerts: []Alert{}, Caveats: in.caveats(),
		Release: in.Release, Namespace: in.Namespace,
	}
	if f.NoImagesBecause = in.noImagesBecause(); f.NoImagesBecause != "" {
		f.Caveats = []string{}
	}
	if in.CR.Unconvertible != nil {
		f.Error = "conversion: " + in.CR.Unconvertible.Error()
		return f
	}
	f.WorkloadArchitectures, f.ControlPlaneArchitectures = in.Cluster.Workload.Strings(), in.Cluster.ControlPlane.Strings()
	f.WorkloadUnknown, f.ControlPlaneUnknown = in.Cluster.WorkloadUnknown, in.Cluster.ControlPlaneUnknown
	if hyperconverged.StatesDefault.In(in.Release) {
		f.DefaultWorkloadArchitecture = string(in.Cluster.Default)
	}
	if hyperconverged.WritesDefault.In(in.Release) {
		f.DefaultOfMachines = in.Cluster.Default
	}
	f.CPUModelOfMachines = in.CR.DefaultCPUModel
	if _, patched := in.CR.Patched(hyperconverged.PatchedKubeVirt); patched {
		f.DefaultOfMachines = ""
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
	s := in.sspOf(merged)
	if in.sspUnknownBecause() != "" {
		f.Templates, f.Alerts = in.templateOutcomes(merged, s, nil), in.alerts(merged)
		return
	}
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

// completeCrons adds to each cron what is known about its built-in template: where that
// knowledge comes from, and whether spec.overrides says that the image lacks the
// architecture.
func (f *Forecast) completeCrons(in Input) {
	images := in.builtInImages()
	knownFrom := make(map[string]hyperconverged.Origin, len(f.Templates))
	for _, t := range f.Templates {
		knownFrom[t.Name] = t.KnownFrom
	}
	for i := range f.Crons {
		c := &f.Crons[i]
		c.KnownFrom = knownFrom[c.Template]
		image, stated := images[c.Template]
		if stated && c.Outcome == Created && c.Architecture != "" && !image.Contains(c.Architecture) {
			c.Outcome = ImportFails
			c.Why = fmt.Sprintf("HCO declares %s, but spec.overrides states that the image has %s", c.Architecture, image)
			f.emptyReferences(*c)
		}
	}
}

// emptyReferences records a failed import in each reference that points at the DataSource
// of the cron.
func (f *Forecast) emptyReferences(failing CronOutcome) {
	for i := range f.References {
		r := &f.References[i]
		if r.State == ByCron && r.Namespace == failing.Namespace && r.Target == failing.ManagedDataSource {
			r.State, r.Filled = ByFailedImport, false
			r.Why = importOfFails(failing.Name, r.Target, failing.Why)
		}
	}
}

// Prediction is everything that goldenarch predicts for one CR of an input.
type Prediction struct {
	// Object is the CR.
	Object finding.Object
	// Admission is the answer of the API server and HCO's webhooks on create; nil if the
	// forecast uses the CR as written.
	Admission *admission.Result
	// Forecast is what the operators do with the CR. It is empty for a refused CR.
	Forecast Forecast
	// Partial is the forecast of the CR without the templates that have an error, with a
	// row for each of those. It is nil if no template has an error, or if nothing can be
	// predicted for the others either. Callers judge the CR by Forecast.
	Partial *Forecast
	// Warnings say what the forecast is based on, and what it does not include.
	Warnings finding.List
}

// Shown returns the forecast for a table; nil if the operators get no CR. One template with
// an error must not hide the results for the others.
func (f Prediction) Shown() *Forecast {
	switch {
	case f.Partial != nil:
		return f.Partial
	case len(f.Refusals()) > 0:
		return nil
	default:
		return &f.Forecast
	}
}

// Refusal is why nothing of a CR reaches the cluster.
type Refusal struct {
	// Who says which component refuses it, and What is its message.
	Who, What string
	// Field is the field that the message begins with; "" if it begins with none.
	Field string
}

// String says which component refuses the CR, with its message.
func (r Refusal) String() string { return r.Who + ": " + r.What }

// Refusals returns why nothing of the CR reaches the cluster; nil if no component refuses
// it.
func (f Prediction) Refusals() []Refusal {
	a := f.Admission
	if a == nil {
		return nil
	}
	var out []Refusal
	for _, fault := range a.SchemaErrors {
		r := Refusal{Who: "the API server refuses the CR", What: fault}
		if field, _, ok := strings.Cut(fault, ": "); ok && !strings.Contains(field, " ") {
			r.Field = field
		}
		out = append(out, r)
	}
	for _, r := range []Refusal{
		{Who: "HCO panics on the CR", What: a.Admission.Panic},
		{Who: "HCO's mutating webhook refuses the CR", What: a.Admission.MutatorDenied},
		{Who: "HCO's patch of the CR does not apply", What: a.Admission.PatchError},
		{Who: "HCO's validating webhook refuses the CR", What: a.Admission.ValidatorDenied},
	} {
		if r.What != "" {
			out = append(out, r)
		}
	}
	return out
}

// CronsByTemplate returns the crons by the template that they come from, for who asks about each template.
func (f Forecast) CronsByTemplate() map[string][]*CronOutcome {
	out := make(map[string][]*CronOutcome, len(f.Templates))
	for i := range f.Crons {
		out[f.Crons[i].Template] = append(out[f.Crons[i].Template], &f.Crons[i])
	}
	return out
}

// Failures says where an operator fails: HCO on the CR, or SSP on all templates. It returns
// nil if neither fails.
func (f Forecast) Failures() []string {
	var out []string
	for _, said := range []struct{ who, what string }{
		{"HCO: ", f.Error}, {"SSP's webhook refuses the SSP CR: ", f.SSPRejected}, {"SSP fails on each reconcile: ", f.SSPError},
	} {
		if said.what != "" {
			out = append(out, said.who+said.what)
		}
	}
	if f.Blocked != nil {
		out = append(out, f.Blocked.String())
	}
	return out
}

// Alert is an alert that fires.
type Alert struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels"`
	// Template is the template that the alert is about; "" if it is about the CR.
	Template string `json:"template"`
	Why      string `json:"why"`
}

// The alerts of HCO about golden images (hco rules/alerts/operator_alerts.go).
const (
	NoSupportedArchitecture  = "HCOGoldenImageWithNoSupportedArchitecture"
	NoArchitectureAnnotation = "HCOGoldenImageWithNoArchitectureAnnotation"
	MultiArchDisabled        = "HCOMultiArchGoldenImagesDisabled"
)

// gauges are the two metrics of a template, with one set of labels (hco
// metrics/operator_metrics.go).
type gauges struct {
	template, cron, dataSource string
	annotated                  bool
	supported                  *bool // nil if HCO never wrote it
	claim                      string
}

// metrics returns the gauges that HCO writes for the status list; none if the gate is off.
// HCO writes label values in lower case, so two templates may write the same gauge. Then
// the last one counts (hco golden_images.go: CheckDataImportCronTemplates).
func metrics(merged []hyperconverged.Merged, gate bool) []*gauges {
	if !gate {
		return nil
	}
	var out []*gauges
	at := map[[2]string]*gauges{}
	for _, m := range merged {
		labels := [2]string{strings.ToLower(m.Name()), strings.ToLower(m.ManagedDataSource())}
		g, ok := at[labels]
		if !ok {
			g = &gauges{cron: labels[0], dataSource: labels[1]}
			at[labels] = g
			out = append(out, g)
		}
		g.template, g.annotated = m.Name(), m.Original != ""
		if g.annotated { // otherwise HCO leaves the others unchanged
			supported := !m.Withheld
			g.supported, g.claim = &supported, m.Original
		}
	}
	return out
}

func (g gauges) alert(name, why string) Alert {
	labels := severity()
	labels["data_import_cron_name"], labels["managed_data_source_name"] = g.cron, g.dataSource
	return Alert{Name: name, Labels: labels, Template: g.template, Why: why}
}

// severity returns the labels that all three alerts have.
func severity() map[string]string {
	return map[string]string{"severity": "warning", "operator_health_impact": "none"}
}
