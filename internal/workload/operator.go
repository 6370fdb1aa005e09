package workload

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// This file handles Subscriptions and ClusterExtensions. They have no images. What they say
// about nodes replaces the operator's own settings: each kind of affinity, and the whole
// nodeSelector (operator-lifecycle-manager pkg/controller/operators/olm/overrides/inject:
// OverrideDeploymentAffinity).

// proveOperator uses the architectures that the configuration states for the operator.
func (p *pod) proveOperator() {
	p.checkReplaced()
	set := arch.Named(p.Spec.Operators[p.Package]...)
	if len(set) == 0 {
		return
	}
	p.images = []string{fmt.Sprintf("the operator %s has %s", p.Package, listed(set))}
	p.intersect([]arch.Set{set}, allKnown)
}

// replacesAffinity reports whether the object replaces the operator's node affinity. A null
// field replaces nothing.
func (p *pod) replacesAffinity() bool {
	return yamlnode.Get(yamlnode.Get(p.Node, "affinity"), "nodeAffinity") != nil
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
