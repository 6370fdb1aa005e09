package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// textWriter writes for people. The lines fit width characters, 0 if it is unknown: then tables fit 100.
type textWriter struct {
	bytes.Buffer

	width int
}

// line writes a line.
func (w *textWriter) line(text string) { w.WriteString(console.Wrap(text+"\n", w.width)) }

// Text writes a check for people: the sentence, what boots where, the reasons with what to do, the machines, the rest, and the
// verdict on the last line.
func Text(w io.Writer, c Check) error {
	told, out := c.tell(), textWriter{width: c.Width}
	out.line(console.SafeLine(told.sentence()))
	out.changes(told)
	if c.ofMany() {
		out.partWithoutTitle(told.clusterTable())
	} else {
		for i := range c.Forecast {
			one := told.prediction(i)
			// The other lists are among the findings, or in docs/plan.md.
			one.lists = slices.DeleteFunc(one.lists, func(s section) bool { return !slices.Contains([]string{"Refused", "Stops", "Why"}, s.title) })
			out.WriteString("\n")
			out.part(one)
		}
	}
	out.operators(c.operators(true))
	for _, g := range told.reasons {
		out.WriteString("\n")
		out.reason("", g)
	}
	out.partWithoutTitle(c.machines(c.shownMachines()))
	out.rest(told)
	out.WriteString("\n")
	for _, line := range append(c.others(), c.lastLine()) {
		out.line(line)
	}
	return write(w, "report", out.Bytes())
}

// ForecastText writes each forecast for people: the outcome of each template on each
// architecture, the reasons for unexpected outcomes, and the alerts. Lines fit a width in
// characters, 0 if unknown: then tables fit 100.
func ForecastText(w io.Writer, list []forecast.Prediction, width int) error {
	out := textWriter{width: width}
	for i, one := range list {
		if i > 0 {
			out.WriteString("\n")
		}
		out.part(predicted(one, "", outcomes, sections(one)))
	}
	return write(w, "prediction", out.Bytes())
}

// Sentence says in a sentence or two what a check has found, as each report does first.
func Sentence(c Check) string { return console.SafeLine(c.tell().sentence()) }

// part writes a part.
func (w *textWriter) part(p part) {
	if p.title != "" {
		fmt.Fprintln(w, p.title)
	}
	for _, line := range p.above {
		fmt.Fprintln(w, line)
	}
	if len(p.above) > 0 && len(p.table.rows) > 0 {
		w.WriteString("\n")
	}
	p.table.write(&w.Buffer, w.width)
	if p.note != "" {
		w.line(p.note)
	}
	for _, s := range p.lists {
		indent := ""
		w.WriteString("\n")
		if s.title != "" {
			indent = "  "
			fmt.Fprintln(w, s.title)
		}
		for _, row := range s.rows {
			w.line(indent + row)
		}
	}
}

// partWithoutTitle writes a part whose table stands alone, of many rows the first.
func (w *textWriter) partWithoutTitle(p part) {
	p.title = ""
	if more := len(p.table.rows) - mostRows; p.table.what == "cluster" && more > 1 {
		p.table.rows, p.table.more = p.table.rows[:mostRows], fmt.Sprintf("and %s more, which -o html has\n", finding.Count(more, "cluster"))
	}
	if len(p.table.rows) > 0 {
		w.WriteString("\n")
	}
	p.table = p.table.withoutEmpty()
	w.part(p)
}

// operators writes the tables of operators, of many the first few.
func (w *textWriter) operators(list []part) {
	const few = 5
	for i, one := range list {
		if i == few && len(list) > few+1 {
			fmt.Fprintf(w, "\nand %s more, which -o html has\n", finding.Count(len(list)-i, "operator"))
			return
		}
		w.WriteString("\n")
		w.part(one)
	}
}

// changes writes what the change makes worse and better.
func (w *textWriter) changes(c story) {
	if c.Since == nil {
		return
	}
	w.WriteString("\n")
	w.line(console.SafeLine(c.Since.sentence()))
	for _, g := range c.worse {
		w.reason("more: ", g)
	}
	for _, g := range c.better {
		w.line(console.SafeLine("less: " + g.Problem()))
	}
}

// reason writes findings that say the same: what is wrong, what to do about it, the command on a line of its own, and
// what changes. label comes before them.
func (w *textWriter) reason(label string, g finding.Group) {
	w.line(console.SafeLine(label + g.Problem()))
	if advice := g.Advised(); advice != "" {
		w.line("  " + console.SafeLine(advice))
	}
	for _, command := range shownCommands(g) {
		fmt.Fprintln(w, "    "+console.SafeLine(command))
	}
	for _, line := range diffLines(g.Changes()) {
		fmt.Fprintln(w, "      "+console.SafeLine(line))
	}
}

// rest writes the findings that are no reasons. Of more than a few clusters the infos are only counted: they are in the other formats.
func (w *textWriter) rest(c story) {
	hides := c.ofMany() && len(c.Repository.Clusters) > fewClusters
	n, begun := 0, false
	var ids []string
	for _, g := range c.rest {
		if hides && g[0].Severity == finding.Info {
			n, ids = n+len(g), append(ids, string(g[0].ID))
			continue
		}
		if !begun {
			w.WriteString("\n")
			begun = true
		}
		w.line(console.SafeLine(g.String()))
	}
	if n > 0 {
		slices.Sort(ids)
		fmt.Fprintf(w, "\nNot shown: %s (%s). -o html has them, and goldenarch explain says what they are.\n",
			finding.Count(n, "info"), strings.Join(slices.Compact(ids), ", "))
	}
}

// shownCommands returns the commands of findings that say the same, the first few of many.
func shownCommands(g finding.Group) []string {
	const shown = 10
	all := g.Commands()
	if more := len(all) - shown; more > 1 {
		return append(all[:shown], fmt.Sprintf("# and %d more, which -o json has", more))
	}
	return all
}

// shownChanges is how many of the fields that a fix changes a report shows.
const shownChanges = 4

// diffLines returns what a fix changes, as diff shows it.
func diffLines(changes []finding.Change) []string {
	var out []string
	for i, one := range changes {
		if i == shownChanges {
			return append(out, fmt.Sprintf("… and %s more", finding.Count(len(changes)-i, "field")))
		}
		if one.Before != "" {
			out = append(out, "- "+one.Path+": "+one.Before)
		}
		if one.After != "" {
			out = append(out, "+ "+one.Path+": "+one.After)
		}
	}
	return out
}
