package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/spelling"
)

// Ignored is what an exception makes of a finding that is not to be shown. No finding has it
// as its severity.
const Ignored = "ignore"

// IgnoreAnnotation on an object lists the ids of findings about it that are not to be shown,
// each with a reason: "GA104: the vendor is informed".
const IgnoreAnnotation = "goldenarch.dev/ignore"

// BySpec names the field of a configuration that states exceptions.
const BySpec = "spec.findings"

// Exception gives the findings of one id another severity.
type Exception struct {
	ID ID
	To Severity
	// By names what states it: spec.findings, or the annotation.
	By string
	// About is the object that the findings are about; the zero value for any.
	About Object
	// At, Field and Line are where it is stated.
	At    Object
	Field string
	Line  int
}

// Check returns what is wrong with an exception: its id does not exist, or it lowers an error
// that leaves no answer.
func (e Exception) Check() List {
	now, retired := e.ID.Retired()
	switch class := e.ID.lowering(); {
	case retired && now != "":
		return List{e.invalid(fmt.Sprintf("%s names %s, which is %s now", e.By, e.ID, now), "write "+string(now))}
	case retired:
		return List{e.invalid(fmt.Sprintf("%s names %s, and no finding has this id any more", e.By, e.ID), "remove the exception")}
	case class == "":
		return List{e.invalid(fmt.Sprintf("%s names %q, which is not the id of a finding%s", e.By, e.ID, spelling.DidYouMean(string(e.ID), IDs())),
			"write an id of docs/findings.md, such as GA104")}
	case class == never && e.To != Error:
		return List{e.invalid(fmt.Sprintf("%s lowers %s (%s), and nothing lowers it: there is no result that goldenarch could answer for", e.By, e.ID, e.ID.Title()),
			"remove the exception, and do what the finding says")}
	}
	return nil
}

func (e Exception) invalid(text, do string) Finding {
	return Finding{ID: ExceptionInvalid, Severity: Error, Object: e.At, Field: e.Field, Line: e.Line, Current: string(e.ID), Text: text, Do: do}
}

// unused is the finding about an exception that no finding needs.
func (e Exception) unused() Finding {
	text := fmt.Sprintf("%s lowers %s (%s), and there is no such finding", e.By, e.ID, e.ID.Title())
	if e.About != (Object{}) {
		text += " about this object"
	}
	return Finding{
		ID: ExceptionUnused, Severity: Warning, Object: e.At, Field: e.Field, Line: e.Line, Current: string(e.ID), Text: text, Do: "remove the exception",
	}
}

// lowers reports whether the exception is there to lower findings, and not to raise them.
func (e Exception) lowers() bool {
	return e.To == Ignored || e.To == Info || e.To == Warning && e.ID.lowering() == lowerable
}

// Same reports whether two exceptions do the same, wherever they are stated.
func (e Exception) Same(other Exception) bool {
	return e.To == other.To && keyOf(e.ID, e.About) == keyOf(other.ID, other.About)
}

// Exceptions are those of a run. One about an object wins over those about any, and of these
// the most severe counts.
type Exceptions []Exception

// Any returns those that are not about one object.
func (e Exceptions) Any() Exceptions {
	return slices.DeleteFunc(slices.Clone(e), func(one Exception) bool { return one.About != (Object{}) })
}

// key is what an exception is about. Files are not compared: a build finds the places of
// findings after the run.
type key struct {
	id                                ID
	apiVersion, kind, namespace, name string
}

func keyOf(id ID, o Object) key { return key{id.Public(), o.APIVersion, o.Kind, o.Namespace, o.Name} }

// index has the places of exceptions by what they are about, the one that counts first.
type index map[key][]int

func (e Exceptions) index() index {
	out := index{}
	for i, one := range e {
		k := keyOf(one.ID, one.About)
		out[k] = append(out[k], i)
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(i, j int) int { return cmp.Compare(e[i].To.order(), e[j].To.order()) })
	}
	return out
}

// of returns the exceptions for a finding, the one that counts first.
func (x index) of(f Finding) []int {
	own, general := keyOf(f.ID, f.Object), keyOf(f.ID, Object{})
	if own == general {
		return x[general]
	}
	return slices.Concat(x[own], x[general])
}

// order is the rank, with what is ignored at the end.
func (s Severity) order() int {
	if s == Ignored {
		return Info.rank() + 1
	}
	return s.rank()
}

// mayLower reports whether a finding may become less severe.
func mayLower(f Finding) bool {
	if f.Severity != Error {
		return f.ID.class() != never
	}
	return !f.Final && (f.ID.class() == lowerable || f.ID.class() == advisory)
}

// applyTo returns a finding with the severity of the exception, which may be [Ignored]. It reports false for a finding that may not
// become less severe.
func (e Exception) applyTo(f Finding) (Finding, bool) {
	switch {
	case e.To.order() < f.Severity.order():
		return f.raisedTo(e.To), true
	case e.To != f.Severity && !mayLower(f):
		return f, false
	}
	f.Severity = e.To
	return f, true
}

// Lowered returns the findings with the severities that the exceptions lower, for a run that
// goes on after an error that they lower. It omits no finding.
func (e Exceptions) Lowered(list List) List { return e.adjusted(list, false) }

// Adjusted returns the findings with the severities of the exceptions. It omits no finding.
func (e Exceptions) Adjusted(list List) List { return e.adjusted(list, true) }

func (e Exceptions) adjusted(list List, raise bool) List {
	if len(e) == 0 {
		return list
	}
	out := slices.Clone(list)
	rules := e.index()
	for i, f := range out {
		at := rules.of(f)
		if len(at) == 0 || !raise && e[at[0]].To.order() < f.Severity.order() {
			continue
		}
		if out[i], _ = e[at[0]].applyTo(f); out[i].Severity == Ignored {
			out[i].Severity = Info
		}
	}
	return out
}

// raisedTo returns a finding with a higher severity. On an error the run changes nothing, so
// that the finding says what is missing.
func (f Finding) raisedTo(s Severity) Finding {
	if f.Severity = s; s == Error && f.Unchanged.Text != "" {
		f.Text, f.Do, f.Unchanged = f.Unchanged.Text, f.Unchanged.Do, Advice{}
	}
	return f
}

// Applied is the result of exceptions.
type Applied struct {
	// List has the findings with their severities, without the ignored ones.
	List List
	// Ignored is how many findings were ignored, by what states that.
	Ignored map[string]int
	// Stated has each exception that lowers, as the finding that it is unused.
	Stated []Stated
}

// Stated is an exception.
type Stated struct {
	Finding

	Used bool
}

// Apply applies the exceptions to all findings of a run. One that would lower an error that
// leaves no answer is an error itself.
func (e Exceptions) Apply(list List) Applied {
	if len(e) == 0 {
		return Applied{List: list}
	}
	out := Applied{List: make(List, 0, len(list)), Ignored: map[string]int{}}
	used, refused := make([]bool, len(e)), make([]bool, len(e))
	rules := e.index()
	for _, f := range list {
		at := rules.of(f)
		for _, i := range at {
			used[i] = true
		}
		if len(at) > 0 {
			may := false
			if f, may = e[at[0]].applyTo(f); !may {
				refused[at[0]] = true
			}
		}
		if f.Severity == Ignored {
			out.Ignored[e[at[0]].By]++
		} else {
			out.List = append(out.List, f)
		}
	}
	for i, one := range e {
		if refused[i] {
			out.List = append(out.List, one.invalid(
				fmt.Sprintf("%s lowers %s, and here it stays an error: without what it asks for there is no answer", one.By, one.ID),
				"remove the exception, and do what the finding says"))
		}
		if one.lowers() && one.ID != ExceptionUnused {
			out.Stated = append(out.Stated, Stated{Finding: one.unused(), Used: used[i]})
		}
	}
	return out
}

// UnusedOf returns the findings about the exceptions that no finding needs. What several
// clusters have is unused if none of them needs it.
func UnusedOf(stated []Stated) List {
	placeOf := func(f Finding) saying {
		f.Object.Cluster, f.Object.Index = "", 0
		f.Field = fmt.Sprintf("%s %s:%d", f.Field, f.File, f.Line)
		return f.saying()
	}
	done := map[saying]bool{}
	for _, one := range stated {
		if one.Used {
			done[placeOf(one.Finding)] = true
		}
	}
	var out List
	for _, one := range stated {
		if at := placeOf(one.Finding); !done[at] {
			done[at] = true
			out = append(out, one.Finding)
		}
	}
	return out
}

// IgnoredText says how many findings were ignored: "2 findings ignored by spec.findings"; ""
// for none.
func IgnoredText(ignored map[string]int) string {
	var parts []string
	for _, by := range []string{BySpec, IgnoreAnnotation} {
		if n := ignored[by]; n > 0 {
			parts = append(parts, Count(n, "finding")+" ignored by "+by)
		}
	}
	return strings.Join(parts, ", ")
}

// ParseIgnore reads the annotation. Each line has ids with commas between them, a colon, and
// the reason. what is what is wrong with it, "" for nothing.
func ParseIgnore(text string) (ids []ID, what string) {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		list, reason, _ := strings.Cut(line, ":")
		if strings.TrimSpace(reason) == "" {
			return nil, fmt.Sprintf("%q has no reason", line)
		}
		for id := range strings.SplitSeq(list, ",") {
			ids = append(ids, ID(strings.TrimSpace(id)))
		}
	}
	if len(ids) == 0 {
		return nil, "it names no finding"
	}
	return ids, ""
}

// IgnoreInvalid is the finding about an annotation that cannot be read.
func IgnoreInvalid(e Exception, text, what string) Finding {
	f := e.invalid(fmt.Sprintf("the annotation %s is not valid: %s", IgnoreAnnotation, what), `write a line for each finding: "GA104: why you accept it"`)
	f.Current = text
	return f
}
