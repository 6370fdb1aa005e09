package livecr

import (
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// For returns the live CR if it is the one that a CR of the input describes; nil if
// it is another one, which is a warning. A name or namespace that one of them
// lacks matches any.
func (l *CR) For(cr *hyperconverged.CR) (*CR, finding.List) {
	if l == nil {
		return nil, nil
	}
	if l.matches(cr.Name, cr.Namespace) {
		return l, nil
	}
	return nil, finding.List{{
		ID: finding.LiveOther, Severity: finding.Warning,
		Text: fmt.Sprintf("the live CR is %q in namespace %q, but this CR is %q in namespace %q: goldenarch does not use the live CR for it",
			l.CR.Name, l.CR.Namespace, cr.Name, cr.Namespace),
		Do: "pass the live CR of the cluster that this CR is for",
	}}
}

// matches reports whether the live CR may be the CR of that name and namespace.
func (l *CR) matches(name, namespace string) bool {
	same := func(a, b string) bool { return a == "" || b == "" || a == b }
	return l != nil && same(l.CR.Name, name) && same(l.CR.Namespace, namespace)
}

// ForAny returns the live CR if it shows one of the CRs; nil if it shows another
// cluster.
func (l *CR) ForAny(crs []object.Object) *CR {
	if slices.ContainsFunc(crs, func(o object.Object) bool { return l.matches(o.At.Name, o.At.Namespace) }) {
		return l
	}
	return nil
}

// WithNamespace returns a CR with the namespace of the live CR that shows it, if it
// states none itself: an overlay or the host adds it on the way to the cluster.
func (l *CR) WithNamespace(cr *hyperconverged.CR) *hyperconverged.CR {
	if l == nil || cr.Namespace != "" {
		return cr
	}
	return cr.In(l.CR.Namespace)
}
