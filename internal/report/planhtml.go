package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/transition"
)

// PlanHTML writes a plan as one page that needs no other file: the steps as a line of time. version is goldenarch's own.
func PlanHTML(w io.Writer, p transition.Plan, version string) error {
	var out pageWriter
	view, plain := viewOf(p), func(s string) string { return s }
	head := pageHead{Title: view.about(plain), Word: "planned", Sentence: view.sentence()}
	if view.stopped() > 0 {
		head.Word = "failed"
	}
	if view.namespace != "" {
		head.Note = view.where(plain)
	}
	head.Tab = head.Title
	out.begin(head)
	out.add("<main>\n")
	for _, s := range view.sections() {
		out.planSection(s, view.mostStorage())
	}
	out.end(version)
	return write(w, "plan", out.Bytes())
}

// stopped returns the number of the step at which the operators stop, 0 if they do not.
func (v planView) stopped() int {
	return slices.IndexFunc(v.Steps, func(s transition.Step) bool { return s.Stopped != "" }) + 1
}

// sentence says what the steps do.
func (v planView) sentence() string {
	var changes []string
	appear, change, disappear := 0, 0, 0
	for _, s := range v.Steps {
		appear, change, disappear = appear+len(s.Appear), change+len(s.Change), disappear+len(s.Disappear)
	}
	for _, one := range []struct {
		n            int
		one, several string
	}{{appear, "appears", "appear"}, {change, "changes", "change"}, {disappear, "disappears", "disappear"}} {
		if one.n > 0 {
			changes = append(changes, countedVerb(one.n, "object", one.one, one.several))
		}
	}
	in := "In " + finding.Count(len(v.Steps), "step") + ", "
	switch {
	case len(v.Steps) == 0:
		return finding.Count(len(v.Leftovers), "leftover") + "."
	case v.stopped() > 0:
		return fmt.Sprintf("The operators stop at step %d of %d.", v.stopped(), len(v.Steps))
	case len(changes) == 0:
		return in + "no golden image changes on the cluster."
	default:
		return in + andList(changes) + "."
	}
}

// mostStorage is the most that the golden images of a storage class take in a step: the length of the longest bar.
func (v planView) mostStorage() int64 {
	var most int64
	for _, s := range v.Steps {
		for _, a := range s.Storage {
			most = max(most, a.Now, a.During, a.After, a.Full)
		}
	}
	return most
}

// planSection writes a section. mostStorage is the length of the longest bar.
func (w *pageWriter) planSection(s planSection, mostStorage int64) {
	id := strings.ReplaceAll(strings.ToLower(s.heading), " ", "-")
	class := "about"
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
	if folds {
		w.add("<details><summary>%s (%v)</summary>\n", p.title, len(p.lines))
	} else if p.title != "" {
		w.add("<h3>%s</h3>\n", p.title)
	}
	if len(p.commands) > 0 {
		var commands []string
		for _, command := range p.commands {
			commands = append(commands, string(text(command)))
		}
		w.add("<pre class=\"command\"><code>%s</code></pre>\n", markup(strings.Join(commands, "\n")))
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
