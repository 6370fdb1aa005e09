package affinity

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/shape"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Constraints is what a PodSpec says about its node.
type Constraints struct {
	NodeName     string
	NodeSelector map[string]string
	// Required is nil without a required node affinity.
	Required  *corev1.NodeSelector
	Preferred []corev1.PreferredSchedulingTerm
}

// Read returns the constraints of a PodSpec or of a placement, and the fields that
// Kubernetes refuses. If there are faults, the caller must not use the constraints.
func Read(spec *yaml.Node) (Constraints, []shape.Fault) {
	var c Constraints
	var a struct {
		NodeAffinity *corev1.NodeAffinity `json:"nodeAffinity"`
	}
	faults := slices.Concat(decode(spec, "nodeName", &c.NodeName), decode(spec, "nodeSelector", &c.NodeSelector), decode(spec, "affinity", &a))
	if a.NodeAffinity == nil || len(faults) > 0 {
		return c, faults
	}
	c.Required = a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	c.Preferred = a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution
	return c, c.invalid()
}

// invalid checks the terms with the library of the scheduler and the API server.
func (c Constraints) invalid() []shape.Fault {
	var faults []shape.Fault
	if c.Required != nil {
		for i, term := range c.Required.NodeSelectorTerms {
			if err := invalidTerm(term); err != nil {
				faults = append(faults, shape.Fault{Path: fieldpath.Element(RequiredPath, i), Text: err.Error()})
			}
		}
	}
	for i, p := range c.Preferred {
		if err := invalidTerm(p.Preference); err != nil {
			faults = append(faults, shape.Fault{Path: fieldpath.Element(PreferredPath, i) + ".preference", Text: err.Error()})
		}
	}
	return faults
}

// invalidTerm also refuses the fields that only the API server refuses (kubernetes
// pkg/apis/core/validation: ValidateNodeFieldSelectorRequirement).
func invalidTerm(term corev1.NodeSelectorTerm) error {
	for _, e := range term.MatchFields {
		if e.Key != NameField {
			return fmt.Errorf("matchFields has the key %q, expected %q", e.Key, NameField)
		}
		if len(e.Values) != 1 {
			return fmt.Errorf("matchFields has %d values, expected one", len(e.Values))
		}
	}
	_, err := nodeaffinity.NewNodeSelector(&corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}})
	return err
}

// decode reads a field as the API server does.
func decode(spec *yaml.Node, key string, into any) []shape.Fault {
	n := yamlnode.Get(spec, key)
	if n == nil {
		return nil
	}
	data, err := yamlnode.JSON(n)
	if err == nil {
		if faults := shape.Faults(key, data, into); len(faults) > 0 {
			return faults
		}
		err = kjson.UnmarshalCaseSensitivePreserveInts(data, into)
	}
	if err != nil {
		return []shape.Fault{{Path: key, Text: err.Error()}}
	}
	return nil
}

// Decode reads a field as far as it is valid. [Read] reports the rest.
func Decode(spec *yaml.Node, key string, into any) {
	if n := yamlnode.Get(spec, key); n != nil {
		if data, err := yamlnode.JSON(n); err == nil {
			_ = kjson.UnmarshalCaseSensitivePreserveInts(data, into)
		}
	}
}

// HasArchSelector reports whether the nodeSelector names an architecture.
func (c Constraints) HasArchSelector() bool {
	for _, key := range archKeys {
		if _, ok := c.NodeSelector[key]; ok {
			return true
		}
	}
	return false
}

// IsEmpty reports whether a term has no condition. It then selects no node.
func IsEmpty(term corev1.NodeSelectorTerm) bool {
	return len(term.MatchExpressions)+len(term.MatchFields) == 0
}

// IsPinned reports whether a term selects nodes by their name.
func IsPinned(term corev1.NodeSelectorTerm) bool {
	return slices.ContainsFunc(term.MatchFields, func(e corev1.NodeSelectorRequirement) bool { return e.Key == NameField })
}

// RestrictsArch reports whether a term admits listed architectures only. A term with Exists
// or NotIn alone admits others as well: each node has the label, and nobody lists what a
// cluster may get.
func RestrictsArch(term corev1.NodeSelectorTerm) bool {
	return slices.ContainsFunc(term.MatchExpressions, func(e corev1.NodeSelectorRequirement) bool {
		return IsArch(e.Key) && !isOpen(string(e.Operator))
	})
}

// isOpen reports whether an operator admits values that the requirement does not list.
func isOpen(operator string) bool { return operator == "Exists" || operator == "NotIn" }

// NamesArch reports whether a term has a condition on the architecture.
func NamesArch(term corev1.NodeSelectorTerm) bool {
	return slices.ContainsFunc(term.MatchExpressions, func(e corev1.NodeSelectorRequirement) bool { return IsArch(e.Key) })
}
