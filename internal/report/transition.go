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

func writePlan(w io.Writer, p transition.Plan, style planStyle) error {
	var out bytes.Buffer
	view := viewOf(p)
	fmt.Fprintf(&out, "%s\n", view.about(style.escape))
	if view.namespace != "" {
		fmt.Fprintf(&out, "%s\n", view.where(style.escape))
	}
	for _, s := range view.sections() {
		fmt.Fprintf(&out, style.heading, style.escape(s.heading))
		for _, part := range s.parts {
			part.write(&out, style)
		}
	}
	return write(w, "plan", out.Bytes())
}

// planView tells a plan: each format shows its sections.
type planView struct {
	transition.Plan

	// namespace is the one that most objects are in.
	namespace string
}

func viewOf(p transition.Plan) planView { return planView{p, mostIn(p)} }

// planSection is a part of a plan with a heading: a step, unless that is nil.
type planSection struct {
	heading string
	step    *transition.Step
	parts   []planPart
}

// planPart is a list in a section: commands, then lines. Without a title the lines stand alone.
type planPart struct {
	title           string
	commands, lines []string
}

func (p planPart) write(out *bytes.Buffer, style planStyle) {
	format := style.item
	if p.title != "" {
		fmt.Fprintf(out, style.title, p.title)
		format = style.entry
	}
	for _, command := range p.commands {
		fmt.Fprintf(out, "    %s\n", command)
	}
	for _, line := range p.lines {
		fmt.Fprintf(out, format, style.escape(line))
	}
}

// about says what the plan is for.
func (v planView) about(escape func(string) string) string {
	release := ""
	if v.Release != "" {
		release = ", HCO " + v.Release
	}
	return fmt.Sprintf("Plan for %s %s (%s)%s", v.CR.Kind, escape(v.CR.Namespace+"/"+v.CR.Name), escape(cmp.Or(v.CR.Reason, "standard input")), release)
}

// where says in which namespace objects without one are.
func (v planView) where(escape func(string) string) string {
	return "Objects without a namespace are in " + escape(v.namespace) + "."
}

// sections returns the plan in the order in which it is told.
func (v planView) sections() []planSection {
	var out []planSection
	if len(v.Unknown) > 0 {
		out = append(out, planSection{heading: "Not known", parts: []planPart{{lines: v.Unknown}}})
	}
	if len(v.NotReady) > 0 {
		out = append(out, planSection{heading: "Not ready in the dump", parts: []planPart{{lines: v.objects(v.NotReady)}}})
	}
	for i, s := range v.Steps {
		out = append(out, planSection{fmt.Sprintf("Step %d: %s", i+1, s.Title), &v.Steps[i], v.step(s)})
	}
	if v.Leftovers != nil {
		heading := "Leftovers in the dump"
		if len(v.Steps) > 0 {
			heading += ", before step 1"
		}
		out = append(out, planSection{heading: heading, parts: v.leftovers()})
	}
	return out
}

// step returns the parts of a step that are not empty.
func (v planView) step(s transition.Step) []planPart {
	out := []planPart{{title: "Do", commands: s.Commands}}
	if s.Stopped != "" {
		out = append(out, planPart{title: "The operators stop", lines: []string{s.Stopped}})
		return withoutEmptyParts(out)
	}
	if len(s.Appear)+len(s.Change)+len(s.Disappear) == 0 {
		out = append(out, planPart{lines: []string{"No golden image changes on the cluster."}})
	}
	var machines, storage []string
	for _, m := range s.Machines {
		machines = append(machines, v.name(m.Object)+": "+m.Effect)
	}
	for _, class := range slices.Sorted(maps.Keys(s.Storage)) {
		a := s.Storage[class]
		storage = append(storage, fmt.Sprintf("%s: now %s, during %s, after %s, with all imports that are kept %s", class,
			transition.SizeText(a.Now), transition.SizeText(a.During), transition.SizeText(a.After), transition.SizeText(a.Full)))
	}
	return withoutEmptyParts(append(out,
		planPart{title: "Alerts that start", lines: alertLines(s.AlertsStart)},
		planPart{title: "Alerts that end", lines: alertLines(s.AlertsEnd)},
		planPart{title: "Wait", commands: s.Wait},
		planPart{title: "Appear", lines: v.objects(s.Appear)},
		planPart{title: "Change", lines: v.objects(s.Change)},
		planPart{title: "Disappear", lines: v.objects(s.Disappear)},
		planPart{title: "Remain, and nothing owns them", lines: v.objects(s.Remain)},
		planPart{title: "No machine can be created from these meanwhile", lines: v.objects(s.Gaps)},
		planPart{title: "Machines", lines: machines},
		planPart{title: storageTitle, lines: storage},
		undo(s.Undo),
		planPart{title: "What undo does not bring back as it was", lines: v.objects(s.Undo.Lost)},
	))
}

// storageTitle is the title of the part that a page shows as bars.
const storageTitle = "Storage of golden images, by storage class"

func withoutEmptyParts(list []planPart) []planPart {
	return slices.DeleteFunc(list, func(p planPart) bool { return len(p.commands)+len(p.lines) == 0 })
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
func (v planView) name(o transition.Object) string {
	if o.Namespace == v.namespace {
		return o.Kind + " " + o.Name
	}
	return o.Kind + " " + o.Namespace + "/" + o.Name
}

func undo(u transition.Undo) planPart {
	switch {
	case len(u.Commands) == 0:
		return planPart{title: "Undo", lines: []string{"not possible: " + u.Reason}}
	case u.Reason != "":
		return planPart{title: "Undo", commands: u.Commands, lines: []string{u.Reason}}
	case u.Possible:
		return planPart{title: "Undo", commands: u.Commands}
	default:
		return planPart{title: "Undo in part", commands: u.Commands}
	}
}

func (v planView) objects(list []transition.Object) []string {
	var lines []string
	for _, o := range list {
		lines = append(lines, v.name(o)+": "+o.Reason)
	}
	return lines
}

func alertLines(list []transition.Alert) []string {
	var lines []string
	for _, a := range list {
		about := a.Name
		if a.Template != "" {
			about += " for " + a.Template
		}
		lines = append(lines, about+": "+a.Reason)
	}
	return lines
}

func (v planView) leftovers() []planPart {
	if len(v.Leftovers) == 0 {
		return []planPart{{lines: []string{"None: Git or an operator owns every golden image."}}}
	}
	var lines, commands []string
	for _, l := range v.Leftovers {
		verdict := "delete"
		if l.Keep {
			verdict = "keep"
		}
		line := verdict + ": " + v.name(l.Object) + ": " + l.Reason
		if l.Since != "" {
			line += ", since " + l.Since
		}
		if l.Bytes > 0 {
			line += ", " + transition.SizeText(l.Bytes)
		}
		parts := []string{line}
		for _, by := range l.UsedBy {
			parts = append(parts, "used by "+v.name(by))
		}
		lines = append(lines, strings.Join(parts, "; "))
		commands = append(commands, l.Commands...)
	}
	return withoutEmptyParts([]planPart{{lines: lines}, {title: "Delete those that nothing uses", commands: commands}})
}
