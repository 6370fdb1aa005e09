package finding

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// List is the findings of a run, in the order in which the run made them.
type List []Finding

// Failed reports whether the run must write nothing and exit with 1.
func (l List) Failed() bool {
	return slices.ContainsFunc(l, func(f Finding) bool { return f.Severity == Error })
}

// Sorted returns the findings in the order in which users read them: the worst first,
// then as the run made them. It removes duplicates.
func (l List) Sorted() List {
	type key struct {
		id             ID
		object         Object
		field, text    string
		line, severity int
	}
	out := make(List, 0, len(l))
	reported := map[key]List{} // there may be a finding for each of 100,000 objects
	for _, f := range l {
		k := key{f.ID, f.Object, f.Field, f.Text, f.Line, f.Severity.rank()}
		if !slices.ContainsFunc(reported[k], func(other Finding) bool { return reflect.DeepEqual(other, f) }) {
			reported[k] = append(reported[k], f)
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Compare(a.Severity.rank(), b.Severity.rank())
	})
	return out
}

// Unchanged returns the findings of a run that changes nothing: they say what is missing,
// and not what goldenarch did.
func (l List) Unchanged() List {
	out := slices.Clone(l)
	for i, f := range out {
		if f.Unchanged.Text != "" {
			out[i].Text, out[i].Do = f.Unchanged.Text, f.Unchanged.Do
		}
		out[i].Severity = cmp.Or(f.Unchanged.Severity, f.Severity)
		out[i].Unchanged = Advice{}
	}
	return out
}

// String returns one line for each finding, each with a newline at its end. It returns
// "" for an empty list.
func (l List) String() string {
	var b strings.Builder
	for _, f := range l {
		fmt.Fprintln(&b, f)
	}
	return b.String()
}

// Count returns how many findings have the given severity.
func (l List) Count(s Severity) int {
	n := 0
	for _, f := range l {
		if f.Severity == s {
			n++
		}
	}
	return n
}
