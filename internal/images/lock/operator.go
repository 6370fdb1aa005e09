package lock

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// operatorKey identifies an operator of a lock: its package and its ClusterServiceVersion.
type operatorKey struct{ name, csv string }

func keyOf(o v1alpha1.LockedOperator) operatorKey { return operatorKey{o.Package, o.CSV} }

// lockedOperator is an operator of a lock, and its location.
type lockedOperator struct {
	v1alpha1.LockedOperator
	at    finding.Object
	field string
}

// addOperators merges the operators of a lock. Two locks that disagree are an error.
func (l *Lock) addOperators(source Source) finding.List {
	var found finding.List
	for i, o := range source.Lock.Operators {
		one := lockedOperator{o, source.At, fmt.Sprintf("operators[%d]", i)}
		other, known := l.operators[keyOf(o)]
		switch {
		case !known:
			l.operators[keyOf(o)] = one
		case !sameOperator(other.LockedOperator, o):
			found = append(found, finding.Finding{
				ID: finding.LockDisagrees, Severity: finding.Error, Object: one.at, Field: one.field,
				Text: fmt.Sprintf("two locks disagree on the operator %q (%s): %s has %s, but %s has %s",
					o.Package, o.CSV, where(other.at), archsOf(other.LockedOperator), where(one.at), archsOf(o)),
				Do: "run 'goldenarch lock' on both",
			})
		}
	}
	return found
}

// Operators returns the operators of the locks, sorted.
func (l Lock) Operators() []v1alpha1.LockedOperator {
	out := make([]v1alpha1.LockedOperator, 0, len(l.operators))
	for _, o := range l.operators {
		out = append(out, o.LockedOperator)
	}
	slices.SortFunc(out, byPackage)
	return out
}

func byPackage(a, b v1alpha1.LockedOperator) int {
	return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.CSV, b.CSV))
}

func sameOperator(a, b v1alpha1.LockedOperator) bool {
	return keyOf(a) == keyOf(b) && slices.Equal(archsOf(a), archsOf(b))
}

func archsOf(o v1alpha1.LockedOperator) arch.Set { return arch.Named(o.Architectures...) }

// OperatorChange is a difference between a lock and what the input proves of an operator.
type OperatorChange struct {
	// Locked is what the lock says; nil if the lock has no entry.
	Locked *v1alpha1.LockedOperator
	// Proven is what the images prove; nil to remove the entry.
	Proven *v1alpha1.LockedOperator
}

// CompareOperators returns the changes that the proven operators make to a lock. isUnused
// says which of the other entries to remove.
func CompareOperators(l Lock, proven []v1alpha1.LockedOperator, isUnused func(v1alpha1.LockedOperator) bool) []OperatorChange {
	var out []OperatorChange
	kept := map[operatorKey]bool{}
	for _, o := range proven {
		kept[keyOf(o)] = true
		switch locked, known := l.operators[keyOf(o)]; {
		case !known:
			out = append(out, OperatorChange{Proven: &o})
		case !sameOperator(locked.LockedOperator, o):
			out = append(out, OperatorChange{Locked: &locked.LockedOperator, Proven: &o})
		}
	}
	for _, o := range l.Operators() {
		if !kept[keyOf(o)] && isUnused(o) {
			out = append(out, OperatorChange{Locked: &o})
		}
	}
	slices.SortFunc(out, func(a, b OperatorChange) int { return byPackage(a.operator(), b.operator()) })
	return out
}

// operator returns the operator of the change.
func (c OperatorChange) operator() v1alpha1.LockedOperator {
	if c.Proven != nil {
		return *c.Proven
	}
	return *c.Locked
}

// TextOfOperators returns a line for each change, for the user.
func TextOfOperators(changes []OperatorChange) string {
	var b strings.Builder
	for _, c := range changes {
		o := c.operator()
		what := "not used"
		switch {
		case c.Proven != nil && c.Locked == nil:
			what = "not in the lock, has " + archsOf(o).String()
		case c.Proven != nil:
			what = fmt.Sprintf("%s -> %s", archsOf(*c.Locked), archsOf(o))
		}
		b.WriteString(sanitize.Escape(fmt.Sprintf("operator %s: %s (%s)", o.Package, what, o.CSV)) + "\n")
	}
	return b.String()
}

// edit returns the change as an edit of the list of operators.
func (c OperatorChange) edit() edit {
	o := c.operator()
	e := edit{id: operatorID(o.Package, o.CSV)}
	if c.Proven != nil {
		e.fill = func(entry *yaml.Node) {
			set(entry, "package", o.Package, yaml.NodeTagString)
			set(entry, "csv", o.CSV, yaml.NodeTagString)
			list := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
			for _, a := range archsOf(o) {
				list.Content = append(list.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: string(a)})
			}
			put(entry, "architectures", list)
		}
	}
	return e
}

func operatorID(name, csv string) string { return name + " " + csv }
