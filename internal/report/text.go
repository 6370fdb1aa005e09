package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Text writes a check for people: the sentence, what boots where, the reasons with what to do, the machines, the rest, and the
// verdict on the last line.
func Text(w io.Writer, c Check) error {
	told, left := c.tell(), c.before().tell()
	var out bytes.Buffer
	out.WriteString(console.Wrap(console.SafeLine(told.sentence())+"\n", c.Width))
	told.writeChanges(&out)
	told.writeImages(&out)
	c.writeSupports(&out)
	for _, g := range left.reasons() {
		out.WriteString("\n")
		writeReason(&out, "", g, c.Width)
	}
	c.writeMachines(&out)
	left.writeRest(&out)
	out.WriteString("\n")
	for _, line := range c.others() {
		out.WriteString(console.Wrap(line+"\n", c.Width))
	}
	out.WriteString(console.Wrap(c.lastLine()+"\n", c.Width))
	return write(w, "report", out.Bytes())
}

// Sentence says in a sentence or two what a check has found, as each report does first.
func Sentence(c Check) string { return console.SafeLine(c.tell().sentence()) }

// ofMany reports whether a check is of several clusters.
func (c Check) ofMany() bool { return c.Repository != nil && len(c.Repository.Clusters) > 1 }

// writeImages writes the tables: of the clusters if there are several, or else of the golden images of each CR.
func (c story) writeImages(out *bytes.Buffer) {
	if c.ofMany() {
		c.writeClusters(out)
		return
	}
	byObject := c.reportedByObject()
	for i, one := range c.Forecast {
		out.WriteString("\n" + subject(one.Object) + "\n")
		if caption := c.caption(one); caption != "" {
			out.WriteString(caption + "\n")
		}
		if shown := one.Shown(); shown != nil {
			writeTable(out, shown, c.images[i].grid(*shown), legend, c.Width)
		}
		for _, s := range c.sections(one, byObject) {
			// The rest is among the findings, or in docs/plan.md.
			if slices.Contains([]string{"Refused", "Stops", "Why"}, s.title) {
				writeList(out, s, c.Width)
			}
		}
	}
}

// writeReason writes findings that say the same: what is wrong, what to do about it, the command on a line of its own, and
// what changes. label comes before them.
func writeReason(out *bytes.Buffer, label string, g finding.Group, width int) {
	out.WriteString(console.Wrap(console.SafeLine(label+g.Problem())+"\n", width))
	if advice := g.Advised(); advice != "" {
		out.WriteString(console.Wrap("  "+console.SafeLine(advice)+"\n", width))
	}
	for _, command := range shownCommands(g) {
		out.WriteString("    " + console.SafeLine(command) + "\n")
	}
	for _, line := range diffLines(g.Changes()) {
		out.WriteString("      " + console.SafeLine(line) + "\n")
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
			out = append(out, fmt.Sprintf("… and %s more", finding.Count(len(changes)-i, "field")))
			break
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

// writeRest writes the findings that are no reasons. Of more than a few clusters the infos are only counted: they are in the other formats.
func (c story) writeRest(out *bytes.Buffer) {
	infos := map[finding.ID]int{}
	begun := false
	for _, g := range c.rest() {
		if c.ofMany() && len(c.Repository.Clusters) > fewClusters && g[0].Severity == finding.Info {
			infos[g[0].ID] += len(g)
			continue
		}
		if !begun {
			out.WriteString("\n")
			begun = true
		}
		out.WriteString(console.Wrap(console.SafeLine(g.String())+"\n", c.Width))
	}
	if len(infos) == 0 {
		return
	}
	var ids []string
	n := 0
	for id, count := range infos {
		ids, n = append(ids, string(id)), n+count
	}
	slices.Sort(ids)
	fmt.Fprintf(out, "\nNot shown: %s (%s). -o html has them, and goldenarch explain says what they are.\n", finding.Count(n, "info"), strings.Join(ids, ", "))
}
