package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/goldenarch/goldenarch/forecast"
)

// ForecastText writes each forecast for eyes: what becomes of each template on
// each architecture, then why where it is not what one would expect, and the
// alerts.
func ForecastText(w io.Writer, list []forecast.Foretold) error {
	var out bytes.Buffer
	for i, one := range list {
		if i > 0 {
			out.WriteString("\n")
		}
		writeForecast(&out, one)
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write the forecast: %w", err)
	}
	return nil
}

func writeForecast(out *bytes.Buffer, one forecast.Foretold) {
	fmt.Fprint(out, one.Object)
	if one.Object.File != "" {
		fmt.Fprintf(out, " (%s)", one.Object.File)
	}
	out.WriteString("\n")
	refused := refusals(one)
	if len(refused) == 0 {
		writeCluster(out, one.Forecast)
		writeTemplates(out, one.Forecast)
	}
	writeList(out, "Refused", refused)
	writeList(out, "Stops", stops(one.Forecast))
	writeList(out, "Why", reasons(one.Forecast))
	writeList(out, "Alerts", alerts(one.Forecast))
	notes := one.Forecast.Caveats
	for _, f := range one.Warnings {
		notes = append(notes, f.Message())
	}
	writeList(out, "Notes", notes)
}

func writeList(out *bytes.Buffer, title string, rows []string) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	for _, row := range rows {
		fmt.Fprintf(out, "  %s\n", oneLine(row))
	}
}

// oneLine keeps what comes out of a manifest from breaking the lines.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// refusals says why nothing of the CR reaches the cluster.
func refusals(one forecast.Foretold) []string {
	a := one.Admission
	if a == nil || a.Stored != nil {
		return nil
	}
	rows := a.SchemaErrors
	for _, r := range []struct{ who, what string }{
		{"HCO panics", a.Admission.Panic},
		{"HCO's mutating webhook", a.Admission.MutatorDenied},
		{"HCO's patch does not apply", a.Admission.PatchError},
		{"HCO's validating webhook", a.Admission.ValidatorDenied},
	} {
		if r.what != "" {
			rows = append(rows, r.who+": "+r.what)
		}
	}
	return rows
}

// stops says where the operators give up.
func stops(f forecast.Forecast) []string {
	var rows []string
	for _, r := range []struct{ who, what string }{
		{"", f.Nothing}, {"HCO: ", f.Error}, {"SSP's webhook: ", f.SSPRejected}, {"SSP, on every pass: ", f.SSPError}, {"", f.SSPRandom},
	} {
		if r.what != "" {
			rows = append(rows, r.who+r.what)
		}
	}
	if f.Blocked != nil {
		rows = append(rows, f.Blocked.Why+": "+strings.Join(f.Blocked.Crons, ", "))
	}
	return rows
}

// reasons says why something is not made, or not filled.
func reasons(f forecast.Forecast) []string {
	var rows []string
	for _, t := range f.Templates {
		if t.Fate != forecast.Given {
			rows = append(rows, fmt.Sprintf("template %s is %s: %s", t.Name, t.Fate, t.Why))
		}
	}
	for _, c := range f.Crons {
		if c.Fate != forecast.Created {
			rows = append(rows, fmt.Sprintf("DataImportCron %s/%s is %s: %s", c.Namespace, c.Name, words[c.Fate], c.Why))
		}
	}
	for _, r := range f.References {
		if !r.Filled {
			rows = append(rows, fmt.Sprintf("DataSource %s/%s points at %s: %s", r.Namespace, r.Name, r.Target, r.Why))
		}
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
