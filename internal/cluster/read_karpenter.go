package cluster

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// readKarpenter reads a NodePool of Karpenter, which creates nodes of each architecture
// that its requirements admit. Requirements of one key are joined by AND. Without a
// requirement In, the cloud decides (karpenter pkg/scheduling/requirements.go).
// Karpenter gives its nodes no worker label, unless the template has it.
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
	a, err := declared(declaration{"spec.template.metadata.labels[" + archLabel + "]", labels[archLabel]})
	if err != nil {
		return Facts{}, false, err
	}
	if a != "" {
		if architectures != nil && !arch.NewSet(arch.Named(architectures...)...).Contains(a) {
			return Facts{}, false, fmt.Errorf("spec.template.metadata.labels[%s] is %s, but spec.template.spec.requirements admit %s: correct one of them",
				archLabel, a, strings.Join(architectures, ", "))
		}
		architectures = []string{string(a)}
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

// admittedValues returns the values of a label that the requirements of a NodePool admit; nil
// if they admit values that they do not name.
func admittedValues(template tree, label string) ([]string, error) {
	var out []string
	excluded := map[string]bool{}
	for _, r := range template.list("spec", "requirements") {
		if key := r.text("key"); key != label && key != "beta."+label {
			continue
		}
		values := r.texts("values")
		if label == archLabel {
			var err error
			if values, err = architectureNames(r.path, values); err != nil {
				return nil, err
			}
		}
		switch operator := r.text("operator"); operator {
		case "In":
			if len(values) == 0 {
				return nil, fmt.Errorf("%s.values is empty, expected the values that operator In admits", r.path)
			}
			out = both(out, values)
			if len(out) == 0 {
				return nil, fmt.Errorf("%s.values has no value in common with the other requirements of %s, so the pool creates no node: correct one of them", r.path, label)
			}
		case "NotIn":
			for _, value := range values {
				excluded[value] = true
			}
		case "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte":
		default:
			return nil, fmt.Errorf("%s.operator is %q, expected In, NotIn, Exists or another operator of Karpenter", r.path, operator)
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
		return nil, fmt.Errorf("spec.template.spec.requirements admit and exclude the same values of %s, so the pool creates no node: correct them", label)
	}
	return left, nil
}

// architectureNames returns the values of a requirement as architectures are written.
func architectureNames(at string, values []string) ([]string, error) {
	out := make([]string, len(values))
	for i, value := range values {
		a, err := arch.Parse(value)
		if err != nil {
			return nil, fmt.Errorf("%s.values[%d]: %w", at, i, err)
		}
		out[i] = string(a)
	}
	return out, nil
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
