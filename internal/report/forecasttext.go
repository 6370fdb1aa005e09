package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// ForecastText writes each forecast for people: the outcome of each template on each
// architecture, the reasons for unexpected outcomes, and the alerts.
func ForecastText(w io.Writer, list []forecast.Prediction) error {
	var out bytes.Buffer
	for i, one := range list {
		if i > 0 {
			out.WriteString("\n")
		}
		out.WriteString(subject(one.Object) + "\n")
		if one.Partial != nil {
			out.WriteString(partlyRendered + "\n")
		}
		writeTable(&out, one, withoutDeclared)
		for _, s := range sections(one) {
			writeList(&out, s)
		}
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write the prediction: %w", err)
	}
	return nil
}

// subject names an object and its file.
func subject(o finding.Object) string {
	out := o.String()
	if o.File != "" {
		out += " (" + o.File + ")"
	}
	if o.Cluster != "" {
		out = o.Cluster + ": " + out
	}
	return sanitize.Line(out)
}

// writeTable writes the table of the outcomes of a CR's templates, if it has rows.
func writeTable(out *bytes.Buffer, one forecast.Prediction, claims bool) {
	shown := one.Shown()
	if shown == nil {
		return
	}
	out.WriteString(clusterLine(*shown) + "\n")
	if len(shown.Templates) == 0 {
		return
	}
	out.WriteString("\n")
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	g := templates(*shown, claims)
	for _, row := range slices.Concat([][]string{g.header}, g.rows) {
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	table.Flush() // into a buffer, which does not fail
	if restsOnDocumentation(*shown) {
		out.WriteString(documented + " " + legend + "\n")
	}
}
