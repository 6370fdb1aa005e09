package pipeline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// duplicateKeys reports the keys that a mapping of the object has twice, also where
// the object has an alias of it; each mapping is reported once. YAML readers take
// one of the two silently, each its own. Where both have the same value it makes no
// difference, and what is edited keeps the first ([singleKeys]).
func duplicateKeys(o object) finding.List {
	var found finding.List
	walkMappings(o.node.YNode(), "", map[*yaml.Node]bool{}, func(m *yaml.Node, path string) {
		found = append(found, o.duplicatesIn(m, path)...)
	})
	return found
}

// duplicatesIn reports the keys that one mapping of the object has twice.
func (o object) duplicatesIn(m *yaml.Node, path string) finding.List {
	var found finding.List
	first := make(map[string]*yaml.Node, len(m.Content)/2)
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := jsonKey(m.Content[i]), m.Content[i+1]
		earlier, twice := first[key]
		if !twice {
			first[key] = value
			continue
		}
		f := finding.Finding{
			ID: finding.DuplicateKey, Severity: finding.Warning, Object: o.at, Field: strings.TrimPrefix(path+"."+key, "."),
			Line: m.Content[i].Line,
			Text: fmt.Sprintf("the key %q is there twice, with the same value: goldenarch keeps the first where it edits the object", key),
			Do:   "remove one of them",
		}
		if !equal(earlier, value) {
			f.Severity = finding.Error
			f.Text = fmt.Sprintf("the key %q is there twice, with two values: which one counts depends on the reader", key)
		}
		found = append(found, f)
	}
	return found
}

// headKeys reports what an item has twice of the keys that say what it is and what
// it holds, with two values: readers would not agree on the objects in it.
func headKeys(o object) finding.List {
	var found finding.List
	for _, f := range o.duplicatesIn(target(o.item.YNode()), "") {
		if f.Severity == finding.Error && slices.Contains([]string{"apiVersion", "kind", "items"}, f.Field) {
			found = append(found, f)
		}
	}
	return found
}

// jsonKey returns the text that a key has in JSON, an alias followed: the keys 1 and
// "1" are one.
func jsonKey(key *yaml.Node) string {
	key = target(key)
	if key.Kind != yaml.ScalarNode || isWord(key) || key.ShortTag() == yaml.NodeTagString {
		return key.Value
	}
	data, err := k8syaml.YAMLToJSON([]byte("? " + strings.ReplaceAll(key.Value, "\n", " ") + "\n: 0\n"))
	var read map[string]int
	if err != nil || json.Unmarshal(data, &read) != nil || len(read) != 1 {
		return key.Value
	}
	for text := range read {
		return text
	}
	return key.Value
}

// singleKeys removes the keys that a mapping in a node has a second time with the
// same value, for an edit would change one of them only. The node has no aliases.
func singleKeys(n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		singleIn(n)
	}
	for _, child := range n.Content {
		singleKeys(child)
	}
}

func singleIn(m *yaml.Node) {
	first := make(map[string]*yaml.Node, len(m.Content)/2)
	kept := m.Content[:0:0]
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := jsonKey(m.Content[i]), m.Content[i+1]
		if earlier, twice := first[key]; twice && equal(earlier, value) {
			continue
		}
		first[key] = value
		kept = append(kept, m.Content[i], value)
	}
	m.Content = kept
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
			walkMappings(n.Content[i+1], strings.TrimPrefix(path+"."+target(n.Content[i]).Value, "."), seen, visit)
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
