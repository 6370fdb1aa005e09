package configuration

import (
	"fmt"
	"reflect"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// findAll finds the GoldenImages and the WorkloadArchitectures. The caller may give one of
// them. Without a GoldenImages, its options come from the WorkloadArchitectures, or are the
// defaults.
func (s Source) findAll(given *yaml.RNode, objects []object.Object) (*Config, finding.List) {
	var workloads *yaml.RNode
	if kinds.IsGoldenarch(object.Ref(given), v1alpha1.WorkloadArchitecturesKind) {
		workloads, given = given, nil
	}
	main, found := s.choose(v1alpha1.GoldenImagesKind, given, objects)
	if found.Failed() {
		return nil, found
	}
	beside, more := s.choose(v1alpha1.WorkloadArchitecturesKind, workloads, objects)
	if found = append(found, more...); found.Failed() {
		return nil, found
	}
	config := &Config{
		OnlyWorkloads: workloads != nil && main.Object == nil, statesTimeout: statesTimeout(main.Object) || statesTimeout(beside.Object),
		releaseOfCommit: main.ofCommit,
	}
	if main.Object != nil {
		config.GoldenImages, more = decode(*main.Object)
		if found = append(found, more...); found.Failed() {
			return nil, found
		}
	}
	if beside.Object != nil {
		found = append(found, config.join(*beside.Object, main.Object)...)
	} else if main.Object == nil {
		defaults, err := v1alpha1.DecodeGoldenImages(nil)
		config.GoldenImages, found = defaults, append(found, invalid(object.Object{}, err)...)
	}
	if s.Policy != nil && !found.Failed() {
		config.PolicyFacts, more = s.policyFacts(config, main, beside)
		found = append(append(found, more...), config.restrict(s.Policy, main, beside)...)
	}
	if !found.Failed() {
		found = append(found, config.readExceptions(main, beside)...)
	}
	return config, found
}

// join adds the options of a WorkloadArchitectures. What both it and the GoldenImages, main,
// can state must be the same; main is nil if there is none.
func (c *Config) join(o object.Object, main *object.Object) finding.List {
	tree, found := treeOf(o)
	if found.Failed() {
		return found
	}
	decoded, err := v1alpha1.DecodeWorkloadArchitectures(tree)
	found = append(object.DuplicateKeys(o), invalid(o, err)...)
	if found.Failed() {
		return found
	}
	c.Workloads = decoded
	if c.GoldenImages == nil {
		c.GoldenImages = &v1alpha1.GoldenImages{TypeMeta: decoded.TypeMeta, ObjectMeta: decoded.ObjectMeta, Spec: decoded.Spec.Golden()}
		return found
	}
	spec, _ := tree["spec"].(map[string]any)
	mine, theirs := c.Spec, decoded.Spec.Golden()
	for _, shared := range []struct {
		field string
		same  bool
	}{
		{"inputs", slices.Equal(mine.Inputs, theirs.Inputs)},
		{"registry", reflect.DeepEqual(mine.Registry, theirs.Registry)},
		{"lock", reflect.DeepEqual(mine.Lock, theirs.Lock)},
	} {
		if _, stated := spec[shared.field]; !stated || shared.same {
			continue
		}
		f := finding.Finding{
			ID: finding.ConfigInvalid, Severity: finding.Error, Object: o.At, Field: "spec." + shared.field,
			Line: o.Line("spec." + shared.field),
			Text: fmt.Sprintf("the %s of the input counts for both, and its spec.%s is another one", c.Kind, shared.field),
			Do:   fmt.Sprintf("write spec.%s into the %s alone", shared.field, c.Kind),
		}
		if main != nil && main.At.File != "" {
			f.Do = fmt.Sprintf("write spec.%s into %s (%s) alone", shared.field, main.At, sanitize.Escape(main.At.File))
		}
		found = append(found, f)
	}
	return found
}
