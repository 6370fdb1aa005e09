package workload

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
)

// way is one of the ways in which a node can meet the constraints of a pod: the
// nodeSelector together with one of the terms.
type way struct {
	field       string
	selector    map[string]string
	term        *corev1.NodeSelectorTerm
	constrained bool // whether it restricts the architecture
	pinned      bool
	// conflict says that the pod and its namespace require different values of one label.
	conflict bool
}

// ways returns the ways of a pod. Without terms, the nodeSelector is the only way.
func (p *pod) ways(c affinity.Constraints) []way {
	selector := map[string]string{}
	maps.Copy(selector, c.NodeSelector)
	base := way{selector: selector, field: "nodeSelector"}
	for key, value := range p.Selectors[p.Object.Namespace].Labels {
		if own, is := selector[key]; is && own != value {
			base.conflict = true
		}
		selector[key] = value
	}
	base.constrained = hasArch(selector)
	if !c.HasArchSelector() && !base.conflict {
		base.field = ""
	}
	if c.Required == nil {
		return []way{base}
	}
	var out []way
	for i, term := range c.Required.NodeSelectorTerms {
		if affinity.IsEmpty(term) {
			continue
		}
		w := base
		w.term, w.pinned = &term, affinity.IsPinned(term)
		w.constrained = base.constrained || w.pinned || affinity.NamesArch(term)
		if base.field == "" || affinity.NamesArch(term) {
			w.field = fmt.Sprintf("%s[%d]", affinity.RequiredPath, i)
		}
		out = append(out, w)
	}
	return out
}

func hasArch(selector map[string]string) bool {
	for key := range selector {
		if affinity.IsArch(key) {
			return true
		}
	}
	return false
}

// admitted returns the architectures of the nodes that a way admits. If no nodes are known,
// it returns the architectures that the way names.
func (p *pod) admitted(w way) arch.Set {
	placement := placementOf(w.selector, w.term)
	switch {
	case w.conflict:
		return nil
	case w.pinned:
		return p.Nodes.named().admitted(placement)
	case p.knowsNodes():
		return p.Nodes.admitted(placement)
	case w.constrained:
		return NodesOf(w.names()).admitted(placement)
	}
	return nil
}

// names returns the architectures that a way names. An architecture that no node has admits
// no node.
func (w way) names() arch.Set {
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
