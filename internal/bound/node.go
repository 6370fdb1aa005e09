package bound

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

const (
	// Depth is the limit on how deep values may be nested. The deepest in Kubernetes are
	// the schemas of CRDs, with less than a hundred levels.
	Depth = 500
	// Expanded is the limit on how many values the anchors of one document may expand to.
	Expanded = 100_000
)

var (
	// ErrAnchors is the error of anchors that never end, or that expand to too many values.
	ErrAnchors = fmt.Errorf("a YAML anchor contains itself, or the anchors expand to more than %d values or %d levels", Expanded, Depth)
	// ErrDepth is the error of values that are nested too deep.
	ErrDepth = fmt.Errorf("values are nested more than %d levels deep", Depth)
)

// Node follows the aliases of a tree. It returns [ErrAnchors] or [ErrDepth] if the tree
// exceeds a limit, and nil otherwise.
func Node(n *yaml.Node) error {
	left := Expanded
	return walk(n, 0, written, &left)
}

// Nested returns [ErrDepth] if the values of a tree are nested too deep, and nil otherwise.
// It does not follow aliases.
func Nested(n *yaml.Node) error { return levelled(n, 0) }

func levelled(n *yaml.Node, depth int) error {
	if depth > Depth {
		return ErrDepth
	}
	for _, child := range n.Content {
		if err := levelled(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// Whether the reader comes to a node through an alias, or where it is written.
const written, throughAlias = false, true

func walk(n *yaml.Node, depth int, aliased bool, left *int) error {
	if aliased {
		if *left--; *left < 0 {
			return ErrAnchors
		}
	}
	if depth > Depth {
		if aliased {
			return ErrAnchors
		}
		return ErrDepth
	}
	if n.Kind == yaml.AliasNode {
		if n.Alias == nil {
			return nil
		}
		return walk(n.Alias, depth+1, throughAlias, left)
	}
	for _, child := range n.Content {
		if err := walk(child, depth+1, aliased, left); err != nil {
			return err
		}
	}
	return nil
}
