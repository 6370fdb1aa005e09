package object

import (
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Line returns the line of a field of the object, or of its nearest parent.
func (o Object) Line(field string) int { return LineOf(o.Node.YNode(), field) }

// LineOf returns the line of a field in a node. If the field is missing, it returns the
// line of its nearest parent. The field has the form that a finding uses:
// "spec.list[2].metadata".
func LineOf(n *yaml.Node, field string) int {
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		n = n.Content[0]
	}
	line := n.Line
	for _, step := range Steps(field) {
		next, at := Child(n, step)
		if next == nil {
			break
		}
		n, line = next, at
	}
	return line
}

// Steps cuts "spec.list[2].annotations[a.b/c]" into its keys and indexes.
func Steps(field string) []string {
	var out []string
	for field != "" {
		if inside, ok := strings.CutPrefix(field, "["); ok {
			step, rest, _ := strings.Cut(inside, "]")
			out, field = append(out, step), strings.TrimPrefix(rest, ".")
			continue
		}
		end := strings.IndexAny(field, ".[")
		if end < 0 {
			return append(out, field)
		}
		out = append(out, field[:end])
		field = strings.TrimPrefix(field[end:], ".")
	}
	return out
}

// Child returns the value of a key, or the element at an index, and the line where it
// begins.
func Child(n *yaml.Node, step string) (*yaml.Node, int) {
	switch n = Dealias(n); n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if Dealias(n.Content[i]).Value == step {
				return n.Content[i+1], n.Content[i].Line
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i], n.Content[i].Line
		}
	case yaml.AliasNode, yaml.DocumentNode, yaml.ScalarNode:
	}
	return nil, 0
}

// Dealias returns the node that an alias refers to, and any other node unchanged. In YAML,
// an alias never refers to another alias.
func Dealias(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
