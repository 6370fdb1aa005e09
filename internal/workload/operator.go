package workload

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// This file handles Subscriptions and ClusterExtensions. They have no images. What they say
// about nodes replaces the operator's own settings, as package override says.

// proveOperator uses the architectures that the configuration states for the operator, or
// else those that the lock has.
func (p *pod) proveOperator() {
	stated := arch.Named(p.Spec.Operators[p.Package]...)
	locked, versions := p.lockedOperator()
	set := stated
	switch {
	case len(stated) == 0 && len(locked) == 0:
		return
	case len(stated) == 0:
		set = locked
	case len(locked) > 0 && !slices.Equal(stated, locked):
		f := p.add(finding.OperatorDisagrees, finding.Warning, "",
			fmt.Sprintf("spec.operators of the configuration says that the operator %q has %s, but the lock proves %s (%s); goldenarch uses the configuration",
				p.Package, listed(stated), listed(locked), versions),
			"correct spec.operators, or remove its entry to use the lock")
		f.Current, f.Proposed = stated.String(), locked.String()
	}
	p.images = []string{fmt.Sprintf("the operator %s has %s", p.Package, listed(set))}
	p.sure = set
	p.intersect([]arch.Set{set}, allKnown)
}

// lockedOperator returns the architectures that the lock has for the operator, and the names
// of the versions that count.
func (p *pod) lockedOperator() (set arch.Set, versions string) {
	var names []string
	for i, o := range p.lockedVersions() {
		names = append(names, o.CSV)
		if has := arch.Named(o.Architectures...); i == 0 {
			set = has
		} else {
			set = set.Intersect(has)
		}
	}
	return set, strings.Join(names, ", ")
}

// lockedVersions returns the versions of the operator in the lock that count. A Subscription
// that keeps its version has that one. Any other may get each version.
func (p *pod) lockedVersions() []v1alpha1.LockedOperator {
	list := slices.DeleteFunc(slices.Clone(p.Operators), func(o v1alpha1.LockedOperator) bool { return o.Package != p.Package })
	if yamlnode.Text(p.Object.Node, "spec", "installPlanApproval") == "Manual" {
		starting := yamlnode.Text(p.Object.Node, "spec", "startingCSV")
		if i := slices.IndexFunc(list, func(o v1alpha1.LockedOperator) bool { return o.CSV == starting }); i >= 0 {
			return list[i : i+1]
		}
	}
	return list
}

// replacesAffinity reports whether the object replaces the operator's node affinity. A null
// field replaces nothing.
func (p *pod) replacesAffinity() bool {
	return yamlnode.Get(yamlnode.Get(p.Node, "affinity"), "nodeAffinity") != nil
}

// writesAnew reports whether goldenarch creates a node affinity if the object has none.
func (p *pod) writesAnew() bool { return p.Spec.Enforce && p.writes() }
