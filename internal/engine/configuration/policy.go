package configuration

import (
	"fmt"
	"path"
	"reflect"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// Policy says that the operator does not trust the input, and what counts in its place. A
// nil Policy trusts the input.
type Policy struct {
	// Ref names the commit that Given, Items and Dir are from, "" for none.
	Ref string
	// Operator is the configuration that the operator states, nil for none.
	Operator *yaml.RNode
	// StatesNodes says that the operator states the nodes in another way than by Items.
	StatesNodes bool
	// Given and Items are what the same input has in the commit of Ref, and Dir is the
	// directory below which its spec.inputs are. Items also has what a Fleet states.
	Given []*yaml.RNode
	Items []*yaml.RNode
	Dir   string
	// Asks reports whether goldenarch may contact a host; nil if it contacts none.
	Asks func(host string) bool
}

// Place names where the policy is from.
func (p *Policy) Place() string {
	if p.Ref == "" {
		return "the operator"
	}
	return p.Ref
}

// givenOf returns the configuration of a kind that the policy's own kustomization lists: the
// one with the name of a step, else the only one.
func (p *Policy) givenOf(kind string, step *yaml.RNode) *yaml.RNode {
	pods := kind == v1alpha1.WorkloadArchitecturesKind
	list := slices.DeleteFunc(slices.Clone(p.Given), func(one *yaml.RNode) bool {
		return one == nil || kinds.IsGoldenarch(object.Ref(one), v1alpha1.WorkloadArchitecturesKind) != pods
	})
	for _, one := range list {
		if step != nil && one.GetName() == step.GetName() || step == nil && len(list) == 1 {
			return one
		}
	}
	return nil
}

// chosen is the configuration of one kind that counts in a run.
type chosen struct {
	*object.Object

	// ofCommit says that it is part of the untrusted input.
	ofCommit bool
}

// choose returns the configuration of a kind that counts: the operator's, else the policy's,
// else that of the input. Without a policy, the input is the operator's.
func (s Source) choose(kind string, given *yaml.RNode, objects []object.Object) (chosen, finding.List) {
	p := s.Policy
	if p == nil {
		o, found := findObject(kind, given, objects)
		return chosen{Object: o}, found
	}
	// A kustomization of the input lists what is given, unless the operator states it.
	listed, stated, items := given, p.givenOf(kind, given), object.All(p.Items)
	if given != nil && given == p.Operator {
		listed, stated, items = nil, given, nil
	}
	own, found := findObject(kind, listed, objects)
	if found.Failed() {
		return chosen{}, found
	}
	o, found := findObject(kind, stated, items)
	ofOther := o != nil && given == nil && s.OfOtherStep != nil && s.OfOtherStep(*o)
	if o == nil || ofOther || found.Failed() {
		return chosen{Object: own, ofCommit: own != nil}, found
	}
	if own != nil && !isEqual(*own, *o) {
		found = append(found, finding.Finding{
			ID: finding.PolicyDiffers, Severity: finding.Info, Object: own.At,
			Text: fmt.Sprintf("the configuration in this commit differs from that of %s, which counts", p.Place()),
			Do:   "review the difference: it has an effect once the commit is merged",
		})
	}
	return chosen{Object: o}, found
}

// isEqual reports whether two objects say the same.
func isEqual(a, b object.Object) bool {
	one, err := plainOf(a)
	other, wrong := plainOf(b)
	return err == nil && wrong == nil && reflect.DeepEqual(one, other)
}

// plainOf returns an object as decoded JSON, without the annotations: hosts name its place in
// some of them.
func plainOf(o object.Object) (map[string]any, error) {
	tree, err := o.Tree()
	if metadata, ok := tree["metadata"].(map[string]any); ok {
		delete(metadata, "annotations")
	}
	return tree, err
}

// policyFacts returns the objects of the policy that say which nodes the cluster has: among
// its items, and in the files that its own configuration lists.
func (s Source) policyFacts(config *Config, main, beside chosen) ([]object.Object, finding.List) {
	facts := nodeFacts(object.All(s.Policy.Items))
	if main.ofCommit || main.Object == nil && beside.ofCommit || s.Policy.Operator != nil || len(config.Spec.Inputs) == 0 || s.Policy.Dir == "" {
		return facts, nil
	}
	there := Source{Dir: s.Policy.Dir}
	read, found := there.readInputs(slices.DeleteFunc(slices.Clone(config.Spec.Inputs), func(file string) bool { return path.Base(file) == lock.FileName }))
	return append(facts, nodeFacts(object.All(read))...), found
}

// nodeFacts returns those of some objects that say which nodes the cluster has.
func nodeFacts(objects []object.Object) []object.Object {
	return slices.DeleteFunc(slices.Clone(objects), func(o object.Object) bool { return !kinds.HasNodeFacts(o) || o.IsWrapped() })
}

// judge reports what an untrusted input states about the cluster.
func (p *Policy) judge(config *Config, objects []object.Object) finding.List {
	var found finding.List
	facts := slices.Clone(config.facts)
	for _, o := range nodeFacts(objects) {
		switch {
		case !config.StatesNodes:
			facts = append(facts, o.NameAndLocation())
		case !slices.ContainsFunc(config.PolicyFacts, func(other object.Object) bool { return isEqual(o, other) }):
			found = append(found, finding.Finding{
				ID: finding.PolicyDiffers, Severity: finding.Info, Object: o.At, Line: o.Line(""),
				Text: fmt.Sprintf("this commit states nodes that do not count, because those of %s count", p.Place()),
				Do:   "review the difference: it has an effect once the commit is merged",
			})
		}
	}
	if len(facts) > 0 {
		found = append(found, finding.Finding{
			ID: finding.FactsUntrusted, Severity: finding.Info,
			Text: "the facts of the cluster come from the checked commit, which may have changed them: " + finding.Shortened(facts, 5),
			Do:   "state them with --workload-architectures, --nodes, --live, a Fleet outside of the tree, or --base",
		})
	}
	return found
}

// Hides reports whether the untrusted input hides an object from a check by an annotation that the policy's has not.
func (p *Policy) Hides(o object.Object) bool {
	return p != nil && !slices.ContainsFunc(object.All(p.Items), func(other object.Object) bool { return other.IsLocal() && isEqual(o, other) })
}

// MayBeLive returns the objects of the input that may be the live CR. An untrusted input has
// none: whoever writes it could state any status.
func (s Source) MayBeLive(objects []object.Object) []object.Object {
	if s.Policy != nil {
		return nil
	}
	return objects
}

// ExceptionsOf returns the exceptions that annotations of objects state. Of an untrusted
// input, only those count that the policy has as well.
func (s Source) ExceptionsOf(items []*yaml.RNode) (finding.Exceptions, finding.List) {
	own, found := annotated(items)
	if s.Policy == nil || len(own) == 0 {
		return own, found
	}
	trusted, _ := annotated(s.Policy.Items)
	var out finding.Exceptions
	reported := map[finding.Object]bool{}
	for _, one := range own {
		switch {
		case slices.ContainsFunc(trusted, one.Same):
			out = append(out, one)
		case !reported[one.At]:
			reported[one.At] = true
			found = append(found, finding.Finding{
				ID: finding.SettingUntrusted, Severity: finding.Info, Object: one.At, Field: one.Field, Line: one.Line,
				Text: fmt.Sprintf("--untrusted ignores the annotation %s of the checked commit, which could hide an error", finding.IgnoreAnnotation),
				Do:   "state it in spec.findings of a file outside of the tree (--config), or have it in the commit of --base",
			})
		}
	}
	return out, found
}

// annotated reads the annotations of items.
func annotated(items []*yaml.RNode) (finding.Exceptions, finding.List) {
	var out finding.Exceptions
	var found finding.List
	for _, o := range object.All(items) {
		node := object.NodeAt(o.Node, "metadata", "annotations", finding.IgnoreAnnotation)
		if node == nil {
			continue
		}
		const field = "metadata.annotations[" + finding.IgnoreAnnotation + "]"
		one := finding.Exception{To: finding.Ignored, By: finding.IgnoreAnnotation, About: o.At, At: o.At, Field: field, Line: o.Line(field)}
		ids, what := finding.ParseIgnore(node.Value)
		if what != "" {
			found = append(found, finding.IgnoreInvalid(one, node.Value, what))
			continue
		}
		for _, id := range ids {
			one.ID = id
			if wrong := one.Check(); len(wrong) > 0 {
				found = append(found, wrong...)
				continue
			}
			out = append(out, one)
		}
	}
	return out, found
}
