package cluster

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// karpenterPoolLabel is the label that Karpenter gives to the nodes of a pool: its name.
const karpenterPoolLabel = "karpenter.sh/nodepool"

// readKarpenter reads a NodePool of Karpenter, which creates nodes of each architecture
// that its requirements admit. A label of its template is one more requirement In, and a
// label of the nodes (karpenter pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go).
// Without a requirement In, the instance types of the cloud decide: Karpenter has no
// default. Nothing in Karpenter gives its nodes the worker label, except the template.
func readKarpenter(t tree) (Facts, bool, error) {
	template := t.child("spec", "template")
	labels := template.labels("metadata", "labels")
	architectures, err := admittedValues(template, archLabel)
	if err != nil {
		return Facts{}, false, err
	}
	systems, err := admittedValues(template, osLabel)
	if err != nil {
		return Facts{}, false, err
	}
	if len(systems) == 1 {
		labels[osLabel] = systems[0]
	}
	if name := t.text("metadata", "name"); name != "" {
		labels[karpenterPoolLabel] = name
	}
	f := Facts{Class: Pooled}
	add := func(a arch.Arch) {
		f.Pools = append(f.Pools, Pool{
			Node: newNode("", a, labels), Lacks: workersOnly,
			Declare: "add a requirement to spec.template.spec.requirements: {key: " + archLabel + ", operator: In, values: [<architecture>]}",
		})
	}
	for _, one := range arch.Named(architectures...) {
		add(one)
	}
	if len(architectures) == 0 {
		add("")
	}
	return f, true, nil
}

// karpenterRequirement is what a NodePool requires of a label, and the fields that say so.
type karpenterRequirement struct {
	operatorAt, operator string
	valuesAt             string
	values               []string
}

// requirementsOf returns what the requirements of a NodePool, and the labels of its
// template, say about a label. Both may have its beta name (karpenter pkg/apis/v1/labels.go:
// NormalizedLabels).
func requirementsOf(template tree, label string) []karpenterRequirement {
	var out []karpenterRequirement
	for _, r := range template.list("spec", "requirements") {
		if key := r.text("key"); key == label || key == "beta."+label {
			out = append(out, karpenterRequirement{r.path + ".operator", r.text("operator"), r.path + ".values", r.texts("values")})
		}
	}
	labels := template.labels("metadata", "labels")
	for _, key := range []string{label, "beta." + label} {
		if value, has := labels[key]; has {
			at := "spec.template.metadata.labels[" + key + "]"
			out = append(out, karpenterRequirement{at, "In", at, []string{value}})
		}
	}
	return out
}

// admittedValues returns the values of a label that a NodePool admits; nil if it admits
// values that it does not name (karpenter pkg/scheduling/requirement.go: Intersection).
func admittedValues(template tree, label string) ([]string, error) {
	var out []string
	excluded := map[string]bool{}
	for _, r := range requirementsOf(template, label) {
		if label == archLabel {
			if err := checkArchitectures(r); err != nil {
				return nil, err
			}
		}
		switch r.operator {
		case "In":
			if len(r.values) == 0 {
				return nil, fmt.Errorf("%s is empty, expected the values that operator In admits", r.valuesAt)
			}
			out = both(out, r.values)
			if len(out) == 0 {
				return nil, fmt.Errorf("%s has no value in common with the other requirements of %s, so the pool creates no node: correct one of them", r.valuesAt, label)
			}
		case "NotIn":
			for _, value := range r.values {
				excluded[value] = true
			}
		case "Exists":
		case "DoesNotExist", "Gt", "Lt", "Gte", "Lte":
			return nil, fmt.Errorf("%s is %s, which no value of %s matches, so the pool creates no node: use In or NotIn", r.operatorAt, r.operator, label)
		default:
			return nil, fmt.Errorf("%s is %q, expected In, NotIn or Exists", r.operatorAt, r.operator)
		}
	}
	if out == nil {
		return nil, nil
	}
	var left []string
	for _, value := range out {
		if !excluded[value] {
			left = append(left, value)
		}
	}
	if len(left) == 0 {
		return nil, fmt.Errorf("spec.template.spec.requirements exclude all values of %s that spec.template admits, so the pool creates no node: correct them", label)
	}
	return left, nil
}

// checkArchitectures returns an error for a value that no node has. Karpenter compares the
// values as they are, so x86_64 matches no node.
func checkArchitectures(r karpenterRequirement) error {
	for i, value := range r.values {
		at := r.valuesAt
		if at != r.operatorAt {
			at = fmt.Sprintf("%s[%d]", at, i)
		}
		switch a, err := arch.Parse(value); {
		case err != nil:
			return fmt.Errorf("%s: %w", at, err)
		case string(a) != value:
			return fmt.Errorf("%s is %q, which is not the name that nodes have: write %q", at, value, a)
		}
	}
	return nil
}

// both returns the values that are in both lists. A list that is nil admits all.
func both(list, values []string) []string {
	if list == nil {
		return values
	}
	out := []string{}
	for _, value := range list {
		for _, other := range values {
			if value == other {
				out = append(out, value)
			}
		}
	}
	return out
}
