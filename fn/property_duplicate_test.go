package fn_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestPropertiesOfKeysTwice writes a key of a CR a second time, with the same value,
// in each way that YAML has, or moves it behind a merge key: what comes out
// says the same as without that, and a second run changes nothing.
func TestPropertiesOfKeysTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		before := toYAML(t, d.cr)
		after, found, err := d.process(t, before)
		if err != nil {
			return
		}
		doubled := twice(t, before)
		got, more, err := d.process(t, doubled)
		if err != nil {
			t.Fatalf("keys that are there twice with one value are a warning: %v\n%s\n%s", err, more, doubled)
		}
		if diff := cmp.Diff(decoded(t, after), decoded(t, got)); diff != "" {
			t.Fatalf("it says something else (-once +twice):\n%s\nof:\n%s\ngot:\n%s", diff, doubled, got)
		}
		d.secondRun(t, got, found)
	})
}

// twice returns a CR with one of its keys written twice.
func twice(t *rapid.T, text string) string {
	items := parse(t, text)
	var mappings []*yaml.Node
	collect(items[0].YNode(), &mappings)
	m := rapid.SampledFrom(mappings).Draw(t, "mapping")
	at := 2 * rapid.IntRange(0, len(m.Content)/2-1).Draw(t, "key")
	key, value := m.Content[at], m.Content[at+1]
	copied := yaml.CopyYNode(value)
	switch rapid.SampledFrom([]string{"same", "quoted", "alias", "key", "merge"}).Draw(t, "way") {
	case "same":
		m.Content = append(m.Content, yaml.CopyYNode(key), copied)
	case "quoted":
		quoted := yaml.CopyYNode(key)
		quoted.Style = yaml.DoubleQuotedStyle
		m.Content = append([]*yaml.Node{quoted, copied}, m.Content...)
	case "alias":
		value.Anchor = "value"
		m.Content = append(m.Content, yaml.CopyYNode(key), &yaml.Node{Kind: yaml.AliasNode, Value: "value", Alias: value})
	case "key":
		key.Anchor = "key"
		m.Content = append(m.Content, &yaml.Node{Kind: yaml.AliasNode, Value: "key", Alias: key}, copied)
	case "merge":
		merged := []*yaml.Node{yaml.CopyYNode(key), copied}
		m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.MergeTag, Value: "<<"},
			&yaml.Node{Kind: yaml.MappingNode, Content: merged})
		if rapid.Bool().Draw(t, "moved") && m != items[0].YNode() {
			m.Content = append(m.Content[:at:at], m.Content[at+2:]...)
		}
	}
	return format(t, items)
}

func collect(n *yaml.Node, out *[]*yaml.Node) {
	if n.Kind == yaml.MappingNode && len(n.Content) > 0 {
		*out = append(*out, n)
	}
	for _, child := range n.Content {
		collect(child, out)
	}
}
