package lock

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
	"github.com/goldenarch/goldenarch/internal/yamlout"
)

// written returns the lines of a new entry.
func written(fill func(entry *yaml.Node), indent int) (string, error) {
	entry := &yaml.Node{Kind: yaml.MappingNode}
	fill(entry)
	return lines(&yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{entry}}, indent)
}

// edited returns the lines of an entry with other values. Its comments stay.
func edited(text string, fill func(entry *yaml.Node), indent int) (string, error) {
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(text), &node); err != nil {
		return "", fmt.Errorf("read the entry: %w", err)
	}
	fill(node.Content[0].Content[0])
	return lines(&node, indent)
}

// lines encodes a list, and indents each line.
func lines(list *yaml.Node, indent int) (string, error) {
	style := yaml.CompactSequenceStyle
	if indent > 0 {
		style = yaml.WideSequenceStyle // like the list around it
	}
	text, err := encode(list, style)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.Repeat(" ", indent) + line)
	}
	return b.String(), nil
}

func encode(node *yaml.Node, style yaml.SequenceIndentStyle) (string, error) {
	yamlout.Safe(node)
	var out bytes.Buffer
	encoder := yaml.NewEncoderWithOptions(&out, &yaml.EncoderOptions{SeqIndent: style})
	if err := encoder.Encode(node); err != nil {
		return "", fmt.Errorf("encode the YAML: %w", err)
	}
	if err := encoder.Close(); err != nil {
		return "", fmt.Errorf("encode the YAML: %w", err)
	}
	return out.String(), nil
}

// fill writes an answer into an entry.
func fill(entry *yaml.Node, image registry.Image) {
	if yamlnode.Value(entry, "reference") == nil {
		set(entry, "reference", image.Reference, yaml.NodeTagString)
	}
	set(entry, "digest", image.Digest, yaml.NodeTagString)
	set(entry, "mediaType", image.MediaType, yaml.NodeTagString)
	size := ""
	if image.Size > 0 {
		size = strconv.Itoa(image.Size)
	}
	set(entry, "size", size, yaml.NodeTagInt)
	set(entry, "mirror", image.Mirror, yaml.NodeTagString)
	bundle := ""
	if image.Bundle {
		bundle = "true"
	}
	set(entry, "bundle", bundle, yaml.NodeTagBool)
	fillPlatforms(entry, image.Platforms)
}

func fillPlatforms(entry *yaml.Node, platforms arch.Platforms) {
	list := yamlnode.Value(entry, "platforms")
	if list == nil || list.Kind != yaml.SequenceNode {
		list = &yaml.Node{Kind: yaml.SequenceNode}
	}
	var content []*yaml.Node
	for _, p := range platforms {
		at := slices.IndexFunc(list.Content, func(n *yaml.Node) bool {
			return yamlnode.Text(n, "os") == p.OS && yamlnode.Text(n, "architecture") == string(p.Architecture) && yamlnode.Text(n, "variant") == p.Variant
		})
		n := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
		if at >= 0 {
			n = list.Content[at]
		}
		set(n, "os", p.OS, yaml.NodeTagString)
		set(n, "architecture", string(p.Architecture), yaml.NodeTagString)
		set(n, "variant", p.Variant, yaml.NodeTagString)
		set(n, "digest", p.Digest, yaml.NodeTagString)
		content = append(content, n)
	}
	list.Content = content
	put(entry, "platforms", list)
}

// order is the order of the keys of an entry and of a platform.
var order = []string{
	"package", "csv", "architectures",
	"reference", "os", "architecture", "variant", "digest", "mediaType", "size", "mirror", "bundle", "platforms",
}

// set sets a key to a text; "" removes the key. A value that is already right keeps its
// form.
func set(mapping *yaml.Node, key, text, tag string) {
	old := yamlnode.Value(mapping, key)
	switch {
	case text == "":
		yamlnode.Remove(mapping, key)
	case old != nil && old.Kind == yaml.ScalarNode:
		old.Value, old.Tag = text, tag
	default:
		put(mapping, key, &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text})
	}
}

// put sets a key to a value, and inserts a new key at its place in the order.
func put(mapping *yaml.Node, key string, value *yaml.Node) {
	if at := yamlnode.Field(mapping, key); at >= 0 {
		mapping.Content[at] = value
		return
	}
	place := len(mapping.Content)
	for other := range yamlnode.Fields(mapping) {
		if slices.Index(order, other) > slices.Index(order, key) {
			place = yamlnode.Field(mapping, other) - 1
			break
		}
	}
	name := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: key}
	mapping.Content = slices.Insert(mapping.Content, place, name, value)
}

// lineOf returns the line after that of a key.
func lineOf(mapping *yaml.Node, key string) int {
	return mapping.Content[yamlnode.Field(mapping, key)-1].Line
}
