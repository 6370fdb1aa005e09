package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/transition"
)

// PlanJSON writes a plan as a JSON object; schemas/plan.json describes it.
func PlanJSON(w io.Writer, p transition.Plan) error {
	return writeJSON(w, "plan", "plan", p)
}

// PlanText writes a plan for a terminal.
func PlanText(w io.Writer, p transition.Plan) error {
	return writePlan(w, p, planStyle{
		heading: "\n%s\n", item: "  %s\n", title: "  %s:\n", entry: "    %s\n", escape: console.SafeLine,
	})
}

// PlanMarkdown writes a plan for a pull request.
func PlanMarkdown(w io.Writer, p transition.Plan) error {
	return writePlan(w, p, planStyle{
		heading: "\n## %s\n", item: "\n- %s\n", title: "\n**%s**\n\n", entry: "- %s\n", escape: markdown,
	})
}

// planStyle has the formats of the parts of a plan.
type planStyle struct {
	heading, item, title, entry string
	escape                      func(string) string
}

// planWriter writes the parts of a plan.
type planWriter struct {
	planStyle
	bytes.Buffer
	// namespace is the one that most objects are in.
	namespace string
}

func writePlan(w io.Writer, p transition.Plan, style planStyle) error {
	out := planWriter{planStyle: style, namespace: mostIn(p)}
	release := ""
	if p.Release != "" {
		release = ", HCO " + p.Release
	}
	fmt.Fprintf(&out, "Plan for %s %s (%s)%s\n", p.CR.Kind, out.escape(p.CR.Namespace+"/"+p.CR.Name), out.escape(cmp.Or(p.CR.Reason, "standard input")), release)
	if out.namespace != "" {
		fmt.Fprintf(&out, "Objects without a namespace are in %s.\n", out.escape(out.namespace))
	}
	if len(p.Unknown) > 0 {
		fmt.Fprintf(&out, out.heading, "Not known")
		for _, one := range p.Unknown {
			fmt.Fprintf(&out, out.item, out.escape(one))
		}
	}
	if len(p.NotReady) > 0 {
		fmt.Fprintf(&out, out.heading, "Not ready in the dump")
		for _, o := range p.NotReady {
			fmt.Fprintf(&out, out.item, out.escape(out.name(o)+": "+o.Reason))
		}
	}
	for i, s := range p.Steps {
		out.step(i+1, s)
	}
	if p.Leftovers != nil {
		out.leftovers(p.Leftovers)
	}
	return write(w, "plan", out.Bytes())
}

func (w *planWriter) step(n int, s transition.Step) {
	fmt.Fprintf(w, w.heading, fmt.Sprintf("Step %d: %s", n, w.escape(s.Title)))
	w.commands("Do", s.Commands)
	if s.Stopped != "" {
		w.list("The operators stop", []string{s.Stopped})
		return
	}
	if len(s.Appear)+len(s.Change)+len(s.Disappear) == 0 {
		fmt.Fprintf(w, w.item, "No golden image changes on the cluster.")
	}
	w.alerts("Alerts that start", s.AlertsStart)
	w.alerts("Alerts that end", s.AlertsEnd)
	w.commands("Wait", s.Wait)
	w.objects("Appear", s.Appear)
	w.objects("Change", s.Change)
	w.objects("Disappear", s.Disappear)
	w.objects("Remain, and nothing owns them", s.Remain)
	w.objects("No machine can be created from these meanwhile", s.Gaps)
	var machines []string
	for _, m := range s.Machines {
		machines = append(machines, w.name(m.Object)+": "+m.Effect)
	}
	w.list("Machines", machines)
	var storage []string
	for _, class := range slices.Sorted(maps.Keys(s.Storage)) {
		a := s.Storage[class]
		storage = append(storage, fmt.Sprintf("%s: now %s, during %s, after %s, with all imports that are kept %s", class,
			transition.SizeText(a.Now), transition.SizeText(a.During), transition.SizeText(a.After), transition.SizeText(a.Full)))
	}
	w.list("Storage of golden images, by storage class", storage)
	w.undo(s.Undo)
}

// mostIn returns the namespace of most objects of a plan.
func mostIn(p transition.Plan) string {
	counts := map[string]int{}
	count := func(lists ...[]transition.Object) {
		for _, o := range slices.Concat(lists...) {
			counts[o.Namespace]++
		}
	}
	for _, s := range p.Steps {
		count(s.Appear, s.Change, s.Remain, s.Disappear)
	}
	for _, l := range p.Leftovers {
		counts[l.Namespace]++
	}
	names := slices.Sorted(maps.Keys(counts))
	if len(names) == 0 {
		return ""
	}
	return slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(counts[a], counts[b]) })
}

// name returns the name of an object, with its namespace if that is another one than that of
// most objects.
func (w *planWriter) name(o transition.Object) string {
	if o.Namespace == w.namespace {
		return o.Kind + " " + o.Name
	}
	return o.Kind + " " + o.Namespace + "/" + o.Name
}

func (w *planWriter) undo(u transition.Undo) {
	switch {
	case len(u.Commands) == 0:
		w.list("Undo", []string{"not possible: " + u.Reason})
	case u.Possible || u.Reason != "":
		w.commands("Undo", u.Commands)
		if u.Reason != "" {
			fmt.Fprintf(w, w.entry, w.escape(u.Reason))
		}
	default:
		w.commands("Undo in part", u.Commands)
	}
	w.objects("What undo does not bring back as it was", u.Lost)
}

func (w *planWriter) objects(title string, list []transition.Object) {
	var lines []string
	for _, o := range list {
		lines = append(lines, w.name(o)+": "+o.Reason)
	}
	w.list(title, lines)
}

func (w *planWriter) alerts(title string, list []transition.Alert) {
	var lines []string
	for _, a := range list {
		about := a.Name
		if a.Template != "" {
			about += " for " + a.Template
		}
		lines = append(lines, about+": "+a.Reason)
	}
	w.list(title, lines)
}

func (w *planWriter) list(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(w, w.title, title)
	for _, line := range lines {
		fmt.Fprintf(w, w.entry, w.escape(line))
	}
}

func (w *planWriter) commands(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(w, w.title, title)
	for _, line := range lines {
		fmt.Fprintf(w, "    %s\n", line)
	}
}

func (w *planWriter) leftovers(list []transition.Leftover) {
	fmt.Fprintf(w, w.heading, "Leftovers")
	if len(list) == 0 {
		fmt.Fprintf(w, w.item, "None: Git or an operator owns every golden image.")
		return
	}
	var commands []string
	for _, l := range list {
		verdict := "delete"
		if l.Keep {
			verdict = "keep"
		}
		line := verdict + ": " + w.name(l.Object) + ": " + l.Reason
		if l.Since != "" {
			line += ", since " + l.Since
		}
		if l.Bytes > 0 {
			line += ", " + transition.SizeText(l.Bytes)
		}
		parts := []string{line}
		for _, by := range l.UsedBy {
			parts = append(parts, "used by "+w.name(by))
		}
		fmt.Fprintf(w, w.item, w.escape(strings.Join(parts, "; ")))
		commands = append(commands, l.Commands...)
	}
	w.commands("Delete those that nothing uses", commands)
}
