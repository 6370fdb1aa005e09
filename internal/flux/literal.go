package flux

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// substitute is the annotation that controls whether Flux replaces variables in an object;
// the value disabled forbids it (fluxcd pkg/kustomize kustomize_varsub.go).
const (
	substitute = "kustomize.toolkit.fluxcd.io/substitute"
	disabled   = "disabled"
)

// Literal annotates the items, and the elements of lists, in which Flux would find a
// variable, so that Flux replaces none. An existing annotation keeps its value. Literal
// returns an error for an item that cannot be annotated.
func Literal(items []*yaml.RNode) error {
	for _, item := range items {
		if err := literal(item); err != nil {
			return fmt.Errorf("annotate %s %q: %w", item.GetKind(), item.GetName(), err)
		}
	}
	return nil
}

func literal(item *yaml.RNode) error {
	if list := item.Field("items"); list != nil && strings.HasSuffix(item.GetKind(), "List") && list.Value.YNode().Kind == yaml.SequenceNode {
		elements, err := list.Value.Elements()
		if err != nil {
			return err
		}
		return Literal(elements)
	}
	if _, said := item.GetAnnotations()[substitute]; said || !hasVariable(item.YNode()) {
		return nil
	}
	return item.PipeE(yaml.SetAnnotation(substitute, disabled))
}

// HasVariable reports whether Flux would find a variable in an item.
func HasVariable(item *yaml.RNode) bool { return hasVariable(item.YNode()) }

// hasVariable reports whether a key or value holds "${". Comments do not reach
// Flux's substitution.
func hasVariable(n *yaml.Node) bool {
	return strings.Contains(n.Value, "${") || slices.ContainsFunc(n.Content, hasVariable)
}
