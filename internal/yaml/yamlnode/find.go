package yamlnode

import (
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// Find returns the value at the place in a tree to which steps lead, and a pointer to it, for an
// edit. It does not follow an alias on the way, because an edit there would change other places, too.
func Find(root *yaml.Node, steps []string) (**yaml.Node, error) {
	at := &root
	for i, step := range steps {
		next, err := below(*at, step)
		if err != nil {
			return nil, &MissingError{Parent: fieldpath.Of(steps[:i]), Line: (*at).Line, Reason: err.Error()}
		}
		at = next
	}
	return at, nil
}

// MissingError says that a file does not have the place.
type MissingError struct {
	// Parent is the part of the path that the file has, "" for its root.
	Parent string
	Line   int
	Reason string
}

// Error implements error.
func (e *MissingError) Error() string {
	if e.Parent == "" {
		return fmt.Sprintf("the document %s", e.Reason)
	}
	return fmt.Sprintf("%s %s", e.Parent, e.Reason)
}

// below returns a pointer to the value of a key, or to the element at an index.
func below(n *yaml.Node, step string) (**yaml.Node, error) {
	switch n.Kind {
	case yaml.MappingNode:
		return valueOf(n, step)
	case yaml.SequenceNode:
		i, err := strconv.Atoi(step)
		if err != nil || !fieldpath.IsIndex(step) {
			return nil, fmt.Errorf("is a list, and %q is not an index: expected one such as [0]", step)
		}
		if i >= len(n.Content) {
			return nil, fmt.Errorf("has %d elements, so there is no [%d]", len(n.Content), i)
		}
		return &n.Content[i], nil
	case yaml.AliasNode:
		return nil, fmt.Errorf("is the alias *%s: name the place with the anchor &%s", n.Value, n.Value)
	case yaml.ScalarNode, yaml.DocumentNode:
	}
	return nil, fmt.Errorf("is a single value, so it has no key %q", step)
}

// valueOf returns a pointer to the value of a key.
func valueOf(n *yaml.Node, key string) (**yaml.Node, error) {
	var keys []string
	var out **yaml.Node
	at := -1
	for name := range Pairs(n) {
		k := Dealias(name).Value
		at += 2
		switch {
		case k != key:
			keys = append(keys, k)
		case out != nil:
			return nil, fmt.Errorf("has the key %q twice: remove one of them", key)
		default:
			out = &n.Content[at]
		}
	}
	if out == nil {
		return nil, fmt.Errorf("has no key %q%s", key, listed(keys))
	}
	return out, nil
}

// listed names the keys that a mapping has instead.
func listed(keys []string) string {
	const maxListed = 8
	if len(keys) == 0 {
		return ", and no other"
	}
	if len(keys) > maxListed {
		keys = append(keys[:maxListed:maxListed], "…")
	}
	return ": it has " + strings.Join(keys, ", ")
}
