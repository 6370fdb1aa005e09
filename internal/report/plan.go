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
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/transition"
)

// PlanJSON writes a plan as a JSON object; schemas/plan.json describes it.
func PlanJSON(w io.Writer, p transition.Plan) error {
	return writeJSON(w, "plan", "plan", "  ", p)
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
	for _, line := range view.about {
		fmt.Fprintln(&out, style.escape(line))
	}
	for _, s := range view.sections {
		fmt.Fprintf(&out, style.heading, style.escape(s.heading))
		for _, part := range s.parts {
			format := style.item
			if part.title != "" {
				fmt.Fprintf(&out, style.title, part.title)
				format = style.entry
			}
			for _, command := range part.commands {
				fmt.Fprintf(&out, "    %s\n", command)
			}
			for _, line := range part.lines {
				fmt.Fprintf(&out, format, style.escape(line))
			}
		}
	}
	return write(w, "plan", out.Bytes())
}

// PlanHTML writes a plan as one page that needs no other file: the steps as a line of time. version is goldenarch's own.
func PlanHTML(w io.Writer, p transition.Plan, version string) error {
	view := viewOf(p)
	stopped := slices.IndexFunc(p.Steps, func(s transition.Step) bool { return s.Stopped != "" }) + 1
	out := htmlPage{tab: view.about[0], title: view.about[0], word: "planned", sentence: planSentence(p, stopped), version: version}
	if stopped > 0 {
		out.word = "failed"
	}
	for _, line := range view.about[1:] {
		out.note.paragraph("", line)
	}
	for _, s := range view.sections {
		out.main.planSection(s, mostStorage(p))
	}
	return out.write(w, "plan")
}

// planSentence says what the steps do. stopped is the number of that at which the operators stop, 0 if they do not.
func planSentence(p transition.Plan, stopped int) string {
	var changes []string
	var counts [3]int
	for _, s := range p.Steps {
		for i, list := range [][]transition.Object{s.Appear, s.Change, s.Disappear} {
			counts[i] += len(list)
		}
	}
	for i, verb := range []string{"appear", "change", "disappear"} {
		if n := counts[i]; n > 0 {
			changes = append(changes, countedVerb(n, "object", verb+"s", verb))
		}
	}
	in := "In " + finding.Count(len(p.Steps), "step") + ", "
	switch {
	case len(p.Steps) == 0:
		return finding.Count(len(p.Leftovers), "leftover") + "."
	case stopped > 0:
		return fmt.Sprintf("The operators stop at step %d of %d.", stopped, len(p.Steps))
	case len(changes) == 0:
		return in + "no golden image changes on the cluster."
	default:
		return in + andList(changes) + "."
	}
}

// mostStorage is the most that the golden images of a storage class take in a step: the length of the longest bar.
func mostStorage(p transition.Plan) int64 {
	var most int64
	for _, s := range p.Steps {
		for _, a := range s.Storage {
			most = max(most, a.Now, a.During, a.After, a.Full)
		}
	}
	return most
}

// planSection writes a section. mostStorage is the length of the longest bar.
func (w *pageWriter) planSection(s planSection, mostStorage int64) {
	id, class := strings.ReplaceAll(strings.ToLower(s.heading), " ", "-"), "about"
	if s.step != nil {
		id, _, _ = strings.Cut(id, ":")
		class = "step"
	}
	w.add("<section class=\"%s\" aria-labelledby=\"%s\">\n<h2 id=\"%[2]s\">%s</h2>\n", class, id, s.heading)
	if s.step != nil {
		w.counts(*s.step)
	}
	for _, part := range s.parts {
		if part.title == storageTitle {
			w.storage(s.step.Storage, mostStorage)
		} else {
			w.planPart(part)
		}
	}
	w.add("</section>\n")
}

// counts writes how much a step does.
func (w *pageWriter) counts(s transition.Step) {
	w.add("<p class=\"counts\">")
	for _, one := range []struct {
		n           int
		class, what string
	}{
		{len(s.Appear), "good", "appear"},
		{len(s.Change), "warn", "change"},
		{len(s.Disappear), "bad", "disappear"},
		{len(s.Remain), "stays", "stay without an owner"},
		{len(s.AlertsStart), "bad", "alerts start"},
		{len(s.AlertsEnd), "good", "alerts end"},
	} {
		if one.n > 0 {
			w.add("<b class=\"%s\">%v %s</b> ", one.class, one.n, one.what)
		}
	}
	w.add("</p>\n")
}

// planPart writes a part of a section. Many lines are folded.
func (w *pageWriter) planPart(p planPart) {
	const few = 4
	folds := p.title != "" && len(p.lines) > few
	switch {
	case folds:
		w.add("<details><summary>%s (%v)</summary>\n", p.title, len(p.lines))
	case p.title != "":
		w.add("<h3>%s</h3>\n", p.title)
	}
	if len(p.commands) > 0 {
		w.add("<pre class=\"command\"><code>")
		for i, command := range p.commands {
			w.add("%s%s", markup("\n"[:min(i, 1)]), command)
		}
		w.add("</code></pre>\n")
	}
	if len(p.lines) > 0 {
		w.list(p.lines)
	}
	if folds {
		w.add("</details>\n")
	}
}

// storage writes what golden images take before, during and after a step as bars, the longest of which stands for most.
func (w *pageWriter) storage(of map[string]transition.Amount, most int64) {
	w.add("<h3>%s</h3>\n", storageTitle)
	for _, class := range slices.Sorted(maps.Keys(of)) {
		w.add("<table class=\"storage\">\n<caption>%s</caption>\n", class)
		a := of[class]
		for _, one := range []struct {
			when  string
			bytes int64
		}{{"before", a.Now}, {"during", a.During}, {"after", a.After}, {"with all imports that are kept", a.Full}} {
			w.add("<tr><th scope=\"row\">%s</th><td><span class=\"bar\" style=\"width:%v%%\"></span></td><td>%s</td></tr>\n",
				one.when, 100*one.bytes/max(most, 1), transition.SizeText(one.bytes))
		}
		w.add("</table>\n")
	}
}

// planView tells a plan: each format shows it.
type planView struct {
	// about says what the plan is for.
	about []string
	// namespace is the one that most objects are in.
	namespace string
	sections  []planSection
}

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

// viewOf returns a plan in the order in which it is told.
func viewOf(p transition.Plan) planView {
	v := planView{namespace: mostIn(p)}
	about := fmt.Sprintf("Plan for %s %s/%s (%s)", p.CR.Kind, p.CR.Namespace, p.CR.Name, cmp.Or(p.CR.Reason, "standard input"))
	if p.Release != "" {
		about += ", HCO " + p.Release
	}
	v.about = []string{about}
	if v.namespace != "" {
		v.about = append(v.about, "Objects without a namespace are in "+v.namespace+".")
	}
	add := func(heading string, step *transition.Step, parts ...planPart) {
		parts = slices.DeleteFunc(parts, func(p planPart) bool { return len(p.commands)+len(p.lines) == 0 })
		if len(parts) > 0 || step != nil {
			v.sections = append(v.sections, planSection{heading, step, parts})
		}
	}
	add("Not known", nil, planPart{lines: p.Unknown})
	add("Not ready in the dump", nil, planPart{lines: v.objects(p.NotReady)})
	for i, s := range p.Steps {
		add(fmt.Sprintf("Step %d: %s", i+1, s.Title), &s, v.step(s)...)
	}
	if p.Leftovers != nil {
		heading := "Leftovers in the dump"
		if len(p.Steps) > 0 {
			heading += ", before step 1"
		}
		add(heading, nil, v.leftovers(p.Leftovers)...)
	}
	return v
}

// step returns the parts of a step.
func (v planView) step(s transition.Step) []planPart {
	out := []planPart{{title: "Do", commands: s.Commands}}
	if s.Stopped != "" {
		return append(out, planPart{title: "The operators stop", lines: []string{s.Stopped}})
	}
	if len(s.Appear)+len(s.Change)+len(s.Disappear) == 0 {
		out = append(out, planPart{lines: []string{"No golden image changes on the cluster."}})
	}
	machines := mapped(s.Machines, func(m transition.Machine) string { return v.name(m.Object) + ": " + m.Effect })
	storage := mapped(slices.Sorted(maps.Keys(s.Storage)), func(class string) string {
		a, size := s.Storage[class], transition.SizeText
		return fmt.Sprintf("%s: now %s, during %s, after %s, with all imports that are kept %s", class, size(a.Now), size(a.During), size(a.After), size(a.Full))
	})
	return append(out,
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
	)
}

// storageTitle is the title of the part that a page shows as bars.
const storageTitle = "Storage of golden images, by storage class"

// mostIn returns the namespace of most objects of a plan.
func mostIn(p transition.Plan) string {
	counts := map[string]int{}
	for _, s := range p.Steps {
		for _, o := range slices.Concat(s.Appear, s.Change, s.Remain, s.Disappear) {
			counts[o.Namespace]++
		}
	}
	for _, l := range p.Leftovers {
		counts[l.Namespace]++
	}
	most := ""
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if counts[name] > counts[most] {
			most = name
		}
	}
	return most
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
	out := planPart{title: "Undo", commands: u.Commands}
	switch {
	case len(u.Commands) == 0:
		out.lines = []string{"not possible: " + u.Reason}
	case u.Reason != "":
		out.lines = []string{u.Reason}
	case !u.Possible:
		out.title = "Undo in part"
	}
	return out
}

func (v planView) objects(list []transition.Object) []string {
	return mapped(list, func(o transition.Object) string { return v.name(o) + ": " + o.Reason })
}

func alertLines(list []transition.Alert) []string {
	return mapped(list, func(a transition.Alert) string { return aboutAlert(a.Name, a.Template) + ": " + a.Reason })
}

// aboutAlert names an alert, with the template that it is about.
func aboutAlert(name, template string) string {
	if template == "" {
		return name
	}
	return name + " for " + template
}

func (v planView) leftovers(list []transition.Leftover) []planPart {
	if len(list) == 0 {
		return []planPart{{lines: []string{"None: Git or an operator owns every golden image."}}}
	}
	var lines, commands []string
	for _, l := range list {
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
		uses := mapped(l.UsedBy, func(by transition.Object) string { return "; used by " + v.name(by) })
		lines = append(lines, line+strings.Join(uses, ""))
		commands = append(commands, l.Commands...)
	}
	return []planPart{{lines: lines}, {title: "Delete those that nothing uses", commands: commands}}
}
