package forecast

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

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
	annotated, supported       *bool // nil if HCO never wrote it
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
		annotated, supported := m.Original != "", !m.Withheld
		g.template, g.annotated = m.Name(), &annotated
		if annotated {
			g.supported, g.claim = &supported, m.Original // otherwise HCO leaves it unchanged
		}
	}
	return out
}

// alerts returns the alerts that fire after SSP has accepted the SSP CR. HCO writes status
// and gauges only then (hco controllers/handlers/ssp.go, lines 40 to 48).
func (in Input) alerts(merged []hyperconverged.Merged) []Alert {
	out := []Alert{}
	if !in.Release.Since(firstMultiArch) {
		return out
	}
	gate := in.CR.Gate.On()
	for _, g := range metrics(merged, gate) {
		if g.supported != nil && !*g.supported && !in.Cluster.WorkloadUnknown {
			out = append(out, g.alert(NoSupportedArchitecture,
				fmt.Sprintf("no workload node has one of the declared architectures %q, so HCO does not deploy the template", g.claim)))
		}
		if !*g.annotated {
			out = append(out, g.alert(NoArchitectureAnnotation,
				"the multi-arch gate is on and the template has no annotation "+hyperconverged.ClaimAnnotation+", or an empty one"))
		}
	}
	if !gate && len(in.Cluster.Workload) > 1 && len(merged) > 0 {
		out = append(out, Alert{
			Name: MultiArchDisabled, Labels: severity(),
			Why: fmt.Sprintf("workload nodes have %s, but the multi-arch gate %s is off", in.Cluster.Workload, hyperconverged.GateName),
		})
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
