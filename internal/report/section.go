package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// section is a list with a title.
type section struct {
	title string
	rows  []string
}

// sections returns the lists below the table, without empty ones.
func sections(one forecast.Prediction) []section {
	notes := slices.Clone(one.Forecast.Caveats)
	for _, f := range one.Warnings {
		notes = append(notes, f.Message())
	}
	shown := one.Forecast
	if one.Partial != nil {
		shown = *one.Partial
	}
	all := []section{
		{"Refused", refusals(one)},
		{"Stops", stops(one.Forecast)},
		{"Why", reasons(shown)},
		{"Compared with the cluster", compared(one.Forecast.Live)},
		{"Alerts", alerts(shown)},
		{"Notes", notes},
	}
	for i := range all {
		all[i].rows = cleaned(all[i].rows)
	}
	return slices.DeleteFunc(all, func(s section) bool { return len(s.rows) == 0 })
}

// sections returns the same for a CR of a check, without what its findings already
// report.
func (c Check) sections(one forecast.Prediction) []section {
	one.Warnings = nil
	all := sections(one)
	for i := range all {
		all[i].rows = slices.DeleteFunc(all[i].rows, func(row string) bool { return c.hasReported(one.Object, row) })
		for j, row := range all[i].rows {
			all[i].rows[j] = c.withID(one.Object, row)
		}
	}
	return slices.DeleteFunc(all, func(s section) bool { return len(s.rows) == 0 })
}

// hasReported reports whether a finding says in these words that the CR is refused, or
// that an operator stops at it.
func (c Check) hasReported(at finding.Object, row string) bool {
	return slices.ContainsFunc(c.Findings, func(f finding.Finding) bool {
		judged := f.ID == finding.AdmissionRefuses || f.ID == finding.OperatorStops || f.ID == finding.SSPStops
		return judged && f.Object == at && strings.HasSuffix(sanitize.Line(f.Text), row)
	})
}

// withID shortens a row that ends with the message of an error about the CR: its id
// refers to the finding above.
func (c Check) withID(at finding.Object, row string) string {
	for _, f := range c.Findings {
		if f.Severity != finding.Error || f.Object != at {
			continue // most findings of an input with many CRs
		}
		if before, is := strings.CutSuffix(row, ": "+sanitize.Line(f.Message())); is {
			return before + ", see " + string(f.ID)
		}
	}
	return row
}

func writeList(out *bytes.Buffer, s section) {
	fmt.Fprintf(out, "\n%s\n", s.title)
	for _, row := range s.rows {
		fmt.Fprintf(out, "  %s\n", row)
	}
}

func refusals(one forecast.Prediction) []string {
	var rows []string
	for _, r := range one.Refusals() {
		rows = append(rows, r.String())
	}
	return rows
}

// stops returns where the operators give up, or which part of their result is random.
func stops(f forecast.Forecast) []string {
	return slices.DeleteFunc(slices.Concat([]string{f.NoImagesBecause}, f.Failures(), []string{f.SSPRandom}), func(s string) bool { return s == "" })
}

// reasons returns why the operators do not create or fill an object.
func reasons(f forecast.Forecast) []string {
	var rows, unknown []string
	for _, t := range f.Templates {
		switch t.Outcome {
		case forecast.Deployed:
		case forecast.Unknown:
			unknown = append(unknown, t.Name)
		case forecast.InError:
			rows = append(rows, fmt.Sprintf("template %s has an error, so there is no prediction: %s", t.Name, t.Why))
		default:
			rows = append(rows, fmt.Sprintf("template %s is %s: %s", t.Name, outcome(t), t.Why))
		}
	}
	for _, c := range f.Crons {
		if c.Outcome == forecast.ImportFails {
			rows = append(rows, fmt.Sprintf("SSP creates DataImportCron %s/%s, and its import fails: %s", c.Namespace, c.Name, c.Why))
		} else if c.Outcome != forecast.Created {
			rows = append(rows, fmt.Sprintf("DataImportCron %s/%s is %s: %s", c.Namespace, c.Name, outcomeWords[c.Outcome], c.Why))
		}
	}
	for _, r := range f.References {
		if !r.Filled && r.State != forecast.UnknownTarget { // GA311 reports these together
			rows = append(rows, fmt.Sprintf("DataSource %s/%s points at %s: %s", r.Namespace, r.Name, r.Target, r.Why))
		}
	}
	if len(unknown) > 0 {
		rows = append(rows, "nothing states the workload architectures, so there is no prediction for the templates "+finding.FirstOf(unknown))
	}
	return rows
}

// compared returns what changes on the cluster, and how much stays unchanged.
func compared(live []forecast.LiveTemplate) []string {
	var rows []string
	for _, t := range live {
		if t.Changed {
			rows = append(rows, fmt.Sprintf("%s: now %s, then %s", t.Template, t.Now, t.Then))
		}
	}
	if same := len(live) - len(rows); live != nil {
		rows = append(rows, fmt.Sprintf("%d of %d templates do not change", same, len(live)))
	}
	return rows
}

func alerts(f forecast.Forecast) []string {
	rows := make([]string, 0, len(f.Alerts))
	for _, a := range f.Alerts {
		about := ""
		if a.Template != "" {
			about = " for " + a.Template
		}
		rows = append(rows, fmt.Sprintf("%s%s: %s", a.Name, about, a.Why))
	}
	return rows
}
