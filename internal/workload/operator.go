package workload

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// This file handles Subscriptions and ClusterExtensions. They have no images. What they say
// about nodes replaces the operator's own settings: each kind of affinity, and the whole
// nodeSelector (operator-lifecycle-manager pkg/controller/operators/olm/overrides/inject:
// OverrideDeploymentAffinity).

// proveOperator uses the architectures that the configuration states for the operator, or
// else those that the lock has.
func (p *pod) proveOperator() {
	p.checkReplaced()
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
	p.intersect([]arch.Set{set}, allKnown)
}

// lockedOperator returns the architectures that the lock has for the operator, and the names
// of the versions that count. A Subscription that keeps its version has that one. Any other
// may get each version, so only what all of them have counts.
func (p *pod) lockedOperator() (set arch.Set, versions string) {
	list := slices.DeleteFunc(slices.Clone(p.Operators), func(o v1alpha1.LockedOperator) bool { return o.Package != p.Package })
	if yamlnode.Text(p.Object.Node, "spec", "installPlanApproval") == "Manual" {
		starting := yamlnode.Text(p.Object.Node, "spec", "startingCSV")
		if i := slices.IndexFunc(list, func(o v1alpha1.LockedOperator) bool { return o.CSV == starting }); i >= 0 {
			list = list[i : i+1]
		}
	}
	var names []string
	for i, o := range list {
		names = append(names, o.CSV)
		if has := arch.Named(o.Architectures...); i == 0 {
			set = has
		} else {
			set = set.Intersect(has)
		}
	}
	return set, strings.Join(names, ", ")
}

// replacesAffinity reports whether the object replaces the operator's node affinity. A null
// field replaces nothing.
func (p *pod) replacesAffinity() bool {
	return yamlnode.Get(yamlnode.Get(p.Node, "affinity"), "nodeAffinity") != nil
}

// checkUnknown reports a node affinity that replaces the one of an operator and admits
// several architectures, if nothing proves which of them the operator has.
func (p *pod) checkUnknown(ways []way) {
	if p.Package == "" || !p.replacesAffinity() || len(p.Spec.Operators[p.Package]) > 0 {
		return
	}
	for _, w := range ways {
		admitted := p.admitted(w)
		if w.constrained || len(admitted) < 2 {
			continue
		}
		p.add(finding.OperatorUnknown, finding.Warning, w.field,
			fmt.Sprintf("this node affinity replaces the one of the operator, and admits nodes with %s. Nothing proves which architectures the operator %q has, "+
				"so goldenarch cannot check it", listed(admitted), p.Package),
			fmt.Sprintf("state them, spec.operators: {%s: [%s]}, or lock its bundle: goldenarch lock", p.Package, admitted[0]))
		return
	}
}

// writesAnew reports whether goldenarch creates a node affinity if the object has none.
func (p *pod) writesAnew() bool { return p.Spec.Enforce && p.writes() }

// checkReplaced reports fields that replace more of the operator's affinity than they
// mention.
func (p *pod) checkReplaced() {
	affinity := yamlnode.Get(p.Node, "affinity")
	if affinity == nil || affinity.Kind != yaml.MappingNode {
		return
	}
	if len(affinity.Content) == 0 {
		p.add(finding.AffinityErased, finding.Warning, "affinity",
			"an empty affinity erases the whole affinity that the operator brings, its architectures too", "remove the field")
		return
	}
	if anti := yamlnode.Get(affinity, "podAntiAffinity"); anti != nil && len(anti.Content) == 0 {
		p.add(finding.AffinityErased, finding.Error, "affinity.podAntiAffinity",
			"an empty podAntiAffinity makes OLM erase the whole affinity, nodeAffinity too, so the operator's pods run on nodes of any architecture", "remove the field")
	}
}
