package finding

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
)

// Group is findings that say the same about several objects, fields or files.
type Group List

// Grouped returns the findings, those that say the same as one, also where each has a command of its own. Each group stands
// where its first finding stood.
func (l List) Grouped() []Group {
	type key struct {
		id                 ID
		severity           Severity
		text, do, template string
	}
	out := make([]Group, 0, len(l))
	at := map[key]int{}
	for _, f := range l {
		k := key{id: f.ID, severity: f.Severity, text: f.Text, do: strings.Replace(f.Do, f.Run, "", 1)}
		if f.Template != "" && names(f.Text, f.Template) {
			k.template = f.Template
		}
		i, known := at[k]
		if !known {
			i = len(out)
			at[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], f)
	}
	return out
}

// Problem returns the same line as String does, without the fix.
func (g Group) Problem() string {
	where, first := g.parts()
	first.Do = ""
	return first.line(where...)
}

// Where returns what the findings are about, and where that is; "" if nothing says it.
func (g Group) Where() string {
	where, _ := g.parts()
	return strings.Join(where, " ")
}

// Commands returns the commands of the fix, each once.
func (g Group) Commands() []string { return g.distinct(func(f Finding) string { return f.Run }) }

// Changes returns what the fix changes; nil if that is not known, or not the same for all.
func (g Group) Changes() []Change {
	for _, f := range g[1:] {
		if !slices.Equal(f.Changes, g[0].Changes) {
			return nil
		}
	}
	return g[0].Changes
}

// Advised returns the fix as a sentence that refers to the commands below it; "" if there is none.
func (g Group) Advised() string {
	f := g[0]
	switch n := len(g.Commands()); {
	case n > 1:
		f = f.WithCommand("these commands")
	case n == 1:
		f = f.WithCommand("this command")
	}
	return capitalized(f.Do)
}

// Says returns the problem alone.
func (g Group) Says() string {
	_, first := g.parts()
	first.Do = ""
	return first.Message()
}

// Sentence returns the problem alone, as the beginning of a text.
func (g Group) Sentence() string { return capitalized(g.Says()) }

// String returns the findings as one line, without a newline. Several of them have their
// number, and what differs between them as a list:
//
//	warning GA002 12 times (a.yaml, b.yaml, c.yaml and 9 more): the file is a template. The fix
func (g Group) String() string {
	where, first := g.parts()
	return first.line(where...)
}

// parts returns what the findings are about, and a finding with the message of all.
func (g Group) parts() (where []string, first Finding) {
	first = g[0]
	if len(g) == 1 {
		return first.where(), first
	}
	objects := g.distinct(func(f Finding) string { return f.Object.String() })
	fields := g.distinct(func(f Finding) string { return console.Escape(f.Field) })
	if slices.ContainsFunc(g, func(f Finding) bool { return f.Field == "" }) {
		fields = nil
	}
	if templates := g.distinct(func(f Finding) string { return f.Template }); len(templates) > 1 {
		for i, name := range templates {
			templates[i] = strconv.Quote(name)
		}
		first.Template, first.Text = "", "templates "+shortened(templates)+": "+first.Text
	}
	if commands := g.Commands(); len(commands) > 1 {
		first = first.WithCommand(shortened(commands))
	}
	places := g.distinct(func(f Finding) string { return console.Escape(f.at()) })
	return withoutEmpty(fmt.Sprintf("%d times", len(g)), shortened(objects), shortened(fields), inParentheses(shortened(places))), first
}

// distinct returns what the findings have, each once, without empty texts.
func (g Group) distinct(of func(Finding) string) []string {
	var out []string
	seen := map[string]bool{"": true}
	for _, f := range g {
		if text := of(f); !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

// shortened joins the first few texts, and says how many more there are.
func shortened(list []string) string {
	const shown = 3
	if len(list) == shown+1 {
		return strings.Join(list, ", ")
	}
	return Shortened(list, shown)
}
