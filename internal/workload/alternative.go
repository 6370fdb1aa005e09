package workload

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// alternative is one of the ways in which a node can meet the constraints of a pod: the
// nodeSelector together with one of the terms.
type alternative struct {
	field    string
	selector map[string]string
	term     *corev1.NodeSelectorTerm
	// constrained says that it admits listed architectures only, or a node by its name.
	constrained bool
	// pinned says that it selects a node by its name.
	pinned bool
	// conflict says that the pod and its namespace require different values of one label.
	conflict bool
	// ofNamespace says that only the node selector of the namespace restricts the
	// architecture.
	ofNamespace bool
}

// alternatives returns those of a pod, with the node selector that its namespace adds. Without
// terms, the nodeSelector is the only way. An empty term is none: it selects no node.
func alternatives(c affinity.Constraints, added map[string]string) []alternative {
	selector := map[string]string{}
	maps.Copy(selector, c.NodeSelector)
	base := alternative{selector: selector, field: "nodeSelector"}
	for key, value := range added {
		if own, ok := selector[key]; ok && own != value {
			base.conflict = true
		}
		selector[key] = value
	}
	base.constrained = affinity.Constraints{NodeSelector: selector}.HasArchSelector()
	base.ofNamespace = base.constrained && !c.HasArchSelector()
	if !c.HasArchSelector() && !base.conflict {
		base.field = ""
	}
	if c.Required == nil {
		return []alternative{base.onNode(c.NodeName)}
	}
	var out []alternative
	for i, term := range c.Required.NodeSelectorTerms {
		if affinity.IsEmpty(term) {
			continue
		}
		w := base
		w.term, w.pinned = &term, affinity.IsPinned(term)
		w.constrained = base.constrained || w.pinned || affinity.RestrictsArch(term)
		w.ofNamespace = base.ofNamespace && !w.pinned && !affinity.RestrictsArch(term)
		if base.field == "" || affinity.NamesArch(term) {
			w.field = fieldpath.Element(affinity.RequiredPath, i)
		}
		out = append(out, w.onNode(c.NodeName))
	}
	return out
}

// onNode returns the alternative of a pod that names its node; "" for a pod that does not. The
// scheduler ignores such a pod, and the kubelet of the node rejects it unless the node meets
// the constraints (kubernetes pkg/kubelet/lifecycle/predicate.go, pkg/scheduler/framework/
// plugins/nodeaffinity: GetRequiredNodeAffinity).
func (w alternative) onNode(name string) alternative {
	if name == "" {
		return w
	}
	term := corev1.NodeSelectorTerm{}
	if w.term != nil {
		term = *w.term.DeepCopy()
	}
	term.MatchFields = append(term.MatchFields, corev1.NodeSelectorRequirement{
		Key: affinity.NameField, Operator: corev1.NodeSelectorOpIn, Values: []string{name},
	})
	w.term, w.pinned, w.constrained, w.ofNamespace, w.field = &term, true, true, false, "nodeName"
	return w
}

// lacking returns the architectures that an unconstrained alternative admits in some cluster, and a
// set lacks.
func (w alternative) lacking(set arch.Set) arch.Set {
	return eachArch().admitted(placementOf(w.selector, w.term)).Minus(set)
}

// names returns the architectures that an alternative names. An architecture that no node has admits
// no node.
func (w alternative) names() arch.Set {
	var list []arch.Arch
	for key, value := range w.selector {
		if affinity.IsArch(key) {
			list = append(list, arch.Arch(value))
		}
	}
	if w.term != nil {
		for _, e := range w.term.MatchExpressions {
			for _, value := range e.Values {
				if affinity.IsArch(e.Key) && e.Operator == corev1.NodeSelectorOpIn {
					list = append(list, arch.Arch(value))
				}
			}
		}
	}
	return arch.NewSet(slices.DeleteFunc(list, func(a arch.Arch) bool { return !arch.Known(a) })...)
}
