package report

import (
	"bytes"
	"io"
	"slices"

	"github.com/goldenarch/goldenarch/internal/console"
)

// Text writes a check for people: the findings, one on each line, a table for each CR,
// and the verdict on the last line.
func Text(w io.Writer, c Check) error {
	var out bytes.Buffer
	c.Since.text(&out, c)
	for _, e := range c.before().Shown().Grouped() {
		out.WriteString(console.Wrap(console.SafeLine(e.String())+"\n", c.Width))
	}
	byObject := c.reportedByObject()
	for _, one := range c.Forecast {
		if out.Len() > 0 {
			out.WriteString("\n")
		}
		out.WriteString(subject(one.Object) + "\n")
		if caption := c.caption(one); caption != "" {
			out.WriteString(caption + "\n")
		}
		writeTable(&out, one, withDeclared, c.legend(one), c.Width)
		if shown := one.Shown(); shown != nil && lackingLine(*shown) != "" {
			out.WriteString(console.Wrap(lackingLine(*shown)+"\n", c.Width))
		}
		for _, s := range c.sections(one, byObject) {
			// The rest is among the findings, or in docs/forecast.md.
			if slices.Contains([]string{"Refused", "Stops", "Why"}, s.title) {
				writeList(&out, s, c.Width)
			}
		}
	}
	c.writeMachines(&out)
	if out.Len() > 0 {
		out.WriteString("\n")
	}
	if c.Repository != nil {
		writeRepository(&out, c.Repository, c.Width)
	}
	out.WriteString(console.Wrap(c.lastLine()+"\n", c.Width))
	return write(w, "report", out.Bytes())
}

// writeRepository writes what was found in a repository.
func writeRepository(out *bytes.Buffer, r *Repository, width int) {
	if len(r.Clusters) > 0 {
		r.clusterGrid().write(out, width)
		out.WriteString("\n")
	}
	for _, line := range r.lines() {
		out.WriteString(console.Wrap(line+"\n", width))
	}
	if len(r.Others) > 0 {
		out.WriteString("\n")
	}
}
