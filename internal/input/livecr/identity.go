package livecr

import (
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// For returns the live CR if it describes the given CR of the input. If it describes
// another CR, For returns nil and a warning. A missing name or namespace matches any.
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

// matches reports whether the live CR may be the CR with that name and namespace.
func (l *CR) matches(name, namespace string) bool {
	same := func(a, b string) bool { return a == "" || b == "" || a == b }
	return l != nil && same(l.CR.Name, name) && same(l.CR.Namespace, namespace)
}

// ForAny returns the live CR if it shows one of the CRs, or nil if it shows another
// cluster.
func (l *CR) ForAny(crs []object.Object) *CR {
	if slices.ContainsFunc(crs, func(o object.Object) bool { return l.matches(o.At.Name, o.At.Namespace) }) {
		return l
	}
	return nil
}

// WithNamespace returns a CR with the namespace of the live CR that shows it, if the CR
// itself has none: an overlay or the host adds the namespace before the CR reaches the
// cluster.
func (l *CR) WithNamespace(cr *hyperconverged.CR) *hyperconverged.CR {
	if l == nil || cr.Namespace != "" {
		return cr
	}
	return cr.In(l.CR.Namespace)
}
