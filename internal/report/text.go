package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// Text writes a check for people: the findings, one on each line, a table for each CR,
// and the verdict on the last line.
func Text(w io.Writer, c Check) error {
	var out bytes.Buffer
	for _, f := range c.grouped() {
		fmt.Fprintln(&out, sanitize.Line(f.String()))
	}
	for _, one := range c.Forecast {
		if out.Len() > 0 {
			out.WriteString("\n")
		}
		out.WriteString(subject(one.Object) + "\n")
		if caption := c.caption(one); caption != "" {
			out.WriteString(caption + "\n")
		}
		writeTable(&out, one, withDeclared)
		if shown := one.Shown(); shown != nil && lackingLine(*shown) != "" {
			out.WriteString(lackingLine(*shown) + "\n")
		}
		for _, s := range c.sections(one) {
			// The rest is among the findings, or in docs/forecast.md.
			if slices.Contains([]string{"Refused", "Stops", "Why"}, s.title) {
				writeList(&out, s)
			}
		}
	}
	if out.Len() > 0 {
		out.WriteString("\n")
	}
	if c.Repository != nil {
		writeRepository(&out, c.Repository)
	}
	fmt.Fprintln(&out, c.lastLine())
	return write(w, &out)
}

// writeRepository writes what was found in a repository.
func writeRepository(out *bytes.Buffer, r *Repository) {
	if len(r.Clusters) > 0 {
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		g := r.clusterGrid()
		for _, row := range slices.Concat([][]string{g.header}, g.rows) {
			fmt.Fprintln(table, strings.Join(row, "\t"))
		}
		table.Flush() // into a buffer, which does not fail
		out.WriteString("\n")
	}
	for _, line := range r.lines() {
		fmt.Fprintln(out, line)
	}
	if len(r.Others) > 0 {
		out.WriteString("\n")
	}
}
