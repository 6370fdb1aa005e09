package fn

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/finding"
)

// duplicateKeys tells of keys that a mapping of the object has twice. kyaml
// and kubectl take that silently, each its own way; where both have the same
// value, nothing hangs on it.
func duplicateKeys(o object) finding.List {
	var found finding.List
	walkMappings(o.node.YNode(), "", func(m *yaml.Node, path string) {
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

func walkMappings(n *yaml.Node, path string, visit func(m *yaml.Node, path string)) {
	switch n.Kind {
	case yaml.MappingNode:
		visit(n, path)
		for i := 0; i+1 < len(n.Content); i += 2 {
			walkMappings(n.Content[i+1], strings.TrimPrefix(path+"."+n.Content[i].Value, "."), visit)
		}
	case yaml.SequenceNode:
		for i, element := range n.Content {
			walkMappings(element, fmt.Sprintf("%s[%d]", path, i), visit)
		}
	case yaml.DocumentNode:
		for _, child := range n.Content {
			walkMappings(child, path, visit)
		}
	case yaml.ScalarNode, yaml.AliasNode:
	}
}

// equal compares two values as text, comments apart.
func equal(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.Value != b.Value || a.Tag != b.Tag || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !equal(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
