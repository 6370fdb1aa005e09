package fn

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/finding"
)

// duplicateKeys tells of keys that a mapping of the object has twice, also where
// the object has an alias of it; each mapping is told once. kyaml
// and kubectl take that silently, each its own way; where both have the same
// value, nothing hangs on it.
func duplicateKeys(o object) finding.List {
	var found finding.List
	walkMappings(o.node.YNode(), "", map[*yaml.Node]bool{}, func(m *yaml.Node, path string) {
		first := map[string]*yaml.Node{}
		for i := 0; i+1 < len(m.Content); i += 2 {
			key, value := m.Content[i], m.Content[i+1]
			earlier, twice := first[key.Value]
			if !twice {
				first[key.Value] = value
				continue
			}
			f := finding.Finding{
				ID: finding.DuplicateKey, Severity: finding.Warning, Object: o.at, Field: strings.TrimPrefix(path+"."+key.Value, "."),
				Line: key.Line,
				Text: fmt.Sprintf("the key %q is there twice, with the same value", key.Value),
				Do:   "remove one of them",
			}
			if !equal(earlier, value) {
				f.Severity = finding.Error
				f.Text = fmt.Sprintf("the key %q is there twice, with two values: which one counts depends on the reader", key.Value)
			}
			found = append(found, f)
		}
	})
	return found
}

func walkMappings(n *yaml.Node, path string, seen map[*yaml.Node]bool, visit func(m *yaml.Node, path string)) {
	n = target(n)
	if seen[n] {
		return
	}
	seen[n] = true
	switch n.Kind {
	case yaml.MappingNode:
		visit(n, path)
		for i := 0; i+1 < len(n.Content); i += 2 {
			walkMappings(n.Content[i+1], strings.TrimPrefix(path+"."+n.Content[i].Value, "."), seen, visit)
		}
	case yaml.SequenceNode:
		for i, element := range n.Content {
			walkMappings(element, fmt.Sprintf("%s[%d]", path, i), seen, visit)
		}
	case yaml.DocumentNode:
		for _, child := range n.Content {
			walkMappings(child, path, seen, visit)
		}
	case yaml.ScalarNode, yaml.AliasNode:
	}
}

// equal compares two values as text, comments apart. A value that does not end is
// equal to itself only.
func equal(a, b *yaml.Node) bool {
	a, b = target(a), target(b)
	return a == b || ends(a) && ends(b) && same(a, b)
}

func same(a, b *yaml.Node) bool {
	a, b = target(a), target(b)
	if a.Kind != b.Kind || a.Value != b.Value || a.Tag != b.Tag || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !same(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
