package workload

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
)

// proofs describes the architectures of each image.
func (p *pod) proofs() string { return strings.Join(distinct(p.images), "; ") }

// unmet reports constraints that no node meets, and returns whether there are any. ways are
// those of the pod with the node selector of its namespace.
func (p *pod) unmet(c affinity.Constraints, ways []way) bool {
	if p.found.Failed() {
		return false // other findings report why no node fits: a name is wrong
	}
	all := p.Nodes.All()
	switch {
	case len(ways) == 0:
		p.add(finding.NoNodeFits, finding.Error, affinity.RequiredPath,
			"no node meets the constraints of this pod: each term is empty, and an empty term selects no node", "remove the terms, or say what they are to select")
	case c.NodeName == "" && p.resolved && len(p.proven) > 0 && p.knowsNodes() && len(p.proven.Intersect(all)) == 0:
		severity := p.severity(len(p.sure) > 0 && len(p.sure.Intersect(all)) == 0)
		f := p.add(finding.NoNodeFits, severity, ways[0].field,
			fmt.Sprintf("no node can run this pod: the nodes have %s, and on each of them %s: %s", listed(all), fails("it", severity), p.proofs()),
			"use images that have an architecture of the cluster")
		p.causedBy(f, all)
	case !slices.ContainsFunc(ways, p.mayBeMet):
		p.addUnmet(c, ways[0].field)
	default:
		return false
	}
	return true
}

// addUnmet reports that no node meets the constraints. It names what causes that: the node
// selector of the namespace, the node that the pod names, or the constraints of the pod.
func (p *pod) addUnmet(c affinity.Constraints, field string) {
	nodes, do := "", "correct one of them"
	why := "no node can meet the constraints of this pod: they contradict each other"
	if p.knowsNodes() {
		nodes = ": the nodes have " + listed(p.Nodes.All())
		why, do = "no node meets the constraints of this pod"+nodes, "correct the constraints, or what is stated of the nodes"
	}
	switch selector := p.namespaceSelector(); {
	case len(selector.Labels) > 0 && slices.ContainsFunc(p.ways(c, nil), p.mayBeMet):
		why = fmt.Sprintf("no node meets the constraints of this pod together with %s%s", selector.in(p.Object.Namespace), nodes)
		do = selector.advice(p.Object.Namespace)
	case c.NodeName == "":
	case p.Nodes.isOther(c.NodeName):
		why, do = fmt.Sprintf("the node %q does not run Linux", c.NodeName), "name another node, or require its operating system: spec.os"
	case !p.Nodes.has(c.NodeName):
		why = fmt.Sprintf("the pod names the node %q, which the Nodes of the input lack, so no kubelet runs it", c.NodeName)
		do = "name a node of the cluster, or remove nodeName"
	default:
		why = fmt.Sprintf("the pod names the node %q, which does not meet its constraints, so the kubelet rejects the pod", c.NodeName)
		do = "correct the constraints, or name another node"
	}
	p.add(finding.NoNodeFits, finding.Error, field, why, do)
}

// namespaceSelector returns the node selector that the cluster adds to the pod.
func (p *pod) namespaceSelector() NodeSelector { return p.Selectors[p.Object.Namespace] }

// in describes the node selector of a namespace.
func (s NodeSelector) in(namespace string) string {
	var labels []string
	for _, key := range slices.Sorted(maps.Keys(s.Labels)) {
		labels = append(labels, key+"="+s.Labels[key])
	}
	text := strings.Join(labels, ",")
	if s.FromScheduler {
		return fmt.Sprintf("spec.defaultNodeSelector of the Scheduler %q (%s), which the namespace %q does not override", "cluster", text, namespace)
	}
	return fmt.Sprintf("the node selector of the namespace %q (%s)", namespace, text)
}

// advice says where to correct the node selector of a namespace.
func (s NodeSelector) advice(namespace string) string {
	if s.FromScheduler {
		return fmt.Sprintf("give the Namespace %q the annotation openshift.io/node-selector, which may be empty, or correct the pod", namespace)
	}
	return fmt.Sprintf("correct the annotation %s of the Namespace %q, or the constraints of the pod", s.Annotation, namespace)
}

// isOther reports whether a node of this name runs another system than Linux.
func (n Nodes) isOther(name string) bool { return slices.Contains(n.Others, name) }

// has reports whether a node of this name may exist. Nodes without a name may have it.
func (n Nodes) has(name string) bool {
	return len(n.Partly) > 0 || slices.ContainsFunc(n.named().Known, func(node cluster.Node) bool { return node.Name == name })
}

// checkTerms reports problems with the terms that do not depend on the images.
func (p *pod) checkTerms(c affinity.Constraints) {
	p.checkLabels(c)
	if c.Required == nil {
		return
	}
	if len(c.Required.NodeSelectorTerms) == 0 {
		p.add(finding.TermsMissing, finding.Error, strings.TrimSuffix(affinity.RequiredPath, ".nodeSelectorTerms"),
			"the required node affinity has no nodeSelectorTerms, and the API server refuses it", "add a term, or remove the field")
		return
	}
	for i, term := range c.Required.NodeSelectorTerms {
		if affinity.IsEmpty(term) {
			p.add(finding.TermEmpty, finding.Warning, fmt.Sprintf("%s[%d]", affinity.RequiredPath, i),
				"the term is empty and selects no node; goldenarch does not add to it, because it would then select some", "remove the term, or say what it is to select")
		}
	}
}

// severity returns how bad a problem with the images is: an error if it is proven, and a
// warning if it follows only from what the configuration assumes of unresolved images.
func (p *pod) severity(proven bool) finding.Severity {
	if proven || !p.assumed {
		return finding.Error
	}
	return finding.Warning
}

// fails says what becomes of a pod where its images lack the architecture, as far as that is
// proven.
func fails(who string, severity finding.Severity) string {
	if severity != finding.Error {
		return "an image may lack the architecture"
	}
	return who + " fails with \"exec format error\""
}
