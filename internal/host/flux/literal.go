package flux

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// substitute is the annotation, or label, that controls whether Flux replaces variables in an
// object; the value disabled forbids it (fluxcd pkg/kustomize kustomize_varsub.go).
const (
	substitute = "kustomize.toolkit.fluxcd.io/substitute"
	disabled   = "disabled"
)

// Literal annotates the items, and the elements of lists, in which Flux would find a
// variable, so that Flux replaces none. An existing annotation keeps its value, but a null is none. In an item that
// it annotates, it expands aliases and merge keys: an edit of what they share would change
// other objects. Literal returns an error for an item that cannot be annotated.
func Literal(items []*yaml.RNode) error {
	for _, item := range items {
		if err := literal(item); err != nil {
			return fmt.Errorf("annotate %s: %w", object.Ref(item), err)
		}
	}
	return nil
}

func literal(item *yaml.RNode) error {
	root := item.YNode()
	if !hasVariable(root) {
		return nil
	}
	if !yamlnode.HasAlias(root) && !yamlnode.HasMergeKey(root) {
		_, err := annotate(item)
		return err
	}
	expanded, err := yamlnode.Expanded(item)
	if err != nil {
		return err
	}
	changed, err := annotate(expanded)
	if changed && err == nil {
		*root = *expanded.YNode()
	}
	return err
}

// annotate annotates an object without aliases, and reports whether it changed it.
func annotate(item *yaml.RNode) (changed bool, err error) {
	if list := item.Field("items"); list != nil && strings.HasSuffix(item.GetKind(), "List") && list.Value.YNode().Kind == yaml.SequenceNode {
		elements, err := list.Value.Elements()
		for _, element := range elements {
			if err == nil {
				var one bool
				one, err = annotate(element)
				changed = changed || one
			}
		}
		return changed, err
	}
	root := item.YNode()
	said := yamlnode.Get(root, "metadata", "annotations", substitute) != nil || yamlnode.Text(root, "metadata", "labels", substitute) == disabled
	if said || !hasVariable(root) {
		return false, nil
	}
	return true, item.PipeE(yaml.SetAnnotation(substitute, disabled))
}

// IsLiteral reports whether an object says that Flux replaces no variable of it.
func IsLiteral(item *yaml.RNode) bool {
	root := item.YNode()
	return yamlnode.Text(root, "metadata", "annotations", substitute) == disabled || yamlnode.Text(root, "metadata", "labels", substitute) == disabled
}

// HasVariable reports whether Flux would find a variable in an item.
func HasVariable(item *yaml.RNode) bool { return hasVariable(item.YNode()) }

// hasVariable reports whether a key or value holds "${", or "$$", of which Flux takes one away
// (fluxcd/pkg/envsubst). The target of an alias is in the same item. Comments do not reach Flux's
// substitution.
func hasVariable(n *yaml.Node) bool {
	return strings.Contains(n.Value, "${") || strings.Contains(n.Value, "$$") || slices.ContainsFunc(n.Content, hasVariable)
}
