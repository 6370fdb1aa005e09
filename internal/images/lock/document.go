package lock

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// part is the position of a document in a text.
type part struct{ from, to int }

// documents cuts a text at the lines that begin with "---" or "...". A "..." line ends a
// document.
func documents(text string) []part {
	var out []part
	start, at := 0, 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		switch {
		case isMarker(line, "---") && at > 0:
			out = append(out, part{start, at})
			start = at
		case isMarker(line, "..."):
			out = append(out, part{start, at})
			start = at + len(line)
		}
		at += len(line)
	}
	return append(out, part{start, at})
}

func isMarker(line, marker string) bool {
	rest, ok := strings.CutPrefix(plain(line), marker)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\n"))
}

// objects returns the objects of a document. Only JSON can have several, because it needs
// no separator between them. A document with only YAML directives has no object.
func objects(document string) []string {
	if out, isJSON := values(document); isJSON {
		return out
	}
	for line := range strings.Lines(document) {
		if !isComment(line) && !strings.HasPrefix(line, "%") {
			return []string{document}
		}
	}
	return nil
}

// values returns the values of a document that is JSON.
func values(document string) (out []string, isJSON bool) {
	decoder := json.NewDecoder(strings.NewReader(strings.TrimPrefix(document, "---\n")))
	for {
		var value json.RawMessage
		switch err := decoder.Decode(&value); {
		case errors.Is(err, io.EOF):
			return out, len(out) > 0
		case err != nil:
			return nil, false
		}
		out = append(out, string(value))
	}
}

// plain returns a text with line feeds only, as the YAML reader sees it.
func plain(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// ended returns a text with its line feeds replaced by other line ends.
func ended(text, end string) string { return strings.ReplaceAll(text, "\n", end) }

// lineEnd returns the most frequent line end of a document.
func lineEnd(document string) string {
	if windows := strings.Count(document, "\r\n"); 2*windows > strings.Count(document, "\n") {
		return "\r\n"
	}
	return "\n"
}

// encoded makes the edits in a document and encodes it again. The comments stay, but the
// encoder chooses the layout of the rest.
func encoded(document string, l section, edits []edit) (string, error) {
	ends, marker := lineEnd(document), ""
	document = plain(document)
	if first, rest, ok := strings.Cut(document, "\n"); ok && isMarker(first, "---") {
		if !isComment(strings.TrimPrefix(first, "---")) {
			return "", errMarker // the encoder would drop it
		}
		marker, document = first+"\n", rest
	}
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(document), &root); err != nil {
		return "", fmt.Errorf("read the YAML: %w", err)
	}
	object := root.Content[0]
	node := yamlnode.Value(object, l.key)
	if node == nil || node.Kind != yaml.SequenceNode {
		node = &yaml.Node{Kind: yaml.SequenceNode}
		put(object, l.key, node)
	}
	l.apply(node, edits)
	node.Style = 0
	if len(node.Content) == 0 {
		node.Style = yaml.FlowStyle
	}
	if node.Style == 0 && node.LineComment != "" { // only flow style has a place for the comment
		key := object.Content[yamlnode.Field(object, l.key)-1]
		key.HeadComment = strings.TrimPrefix(key.HeadComment+"\n"+node.LineComment, "\n")
		node.LineComment = ""
	}
	text, err := encode(&root, yaml.CompactSequenceStyle)
	return ended(marker+text, ends), err
}

var errMarker = errors.New("the lock begins on the line of its '---': begin it on the next line")

// apply makes the edits in a list, and sorts it.
func (l section) apply(node *yaml.Node, edits []edit) {
	for _, e := range edits {
		i := slices.IndexFunc(node.Content, func(entry *yaml.Node) bool {
			id, ok := l.id(entry)
			return ok && id == e.id
		})
		switch {
		case e.fill == nil && i >= 0:
			node.Content = slices.Delete(node.Content, i, i+1)
		case e.fill == nil:
		case i >= 0:
			e.fill(node.Content[i])
		default:
			entry := &yaml.Node{Kind: yaml.MappingNode}
			e.fill(entry)
			node.Content = append(node.Content, entry)
		}
	}
	slices.SortStableFunc(node.Content, func(a, b *yaml.Node) int {
		first, _ := l.id(a)
		second, _ := l.id(b)
		return strings.Compare(first, second)
	})
}

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
	yamlnode.Safe(node)
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
	fillPlatforms(entry, "platforms", image.Platforms)
	if fillPlatforms(entry, "absent", image.Absent); len(image.Absent) == 0 {
		yamlnode.Remove(entry, "absent")
	}
}

func fillPlatforms(entry *yaml.Node, key string, platforms arch.Platforms) {
	list := yamlnode.Value(entry, key)
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
	put(entry, key, list)
}

// order is the order of the keys of an entry and of a platform.
var order = []string{
	"package", "csv", "architectures", "constrainedBy",
	"reference", "os", "architecture", "variant", "digest", "mediaType", "size", "mirror", "bundle", "platforms", "absent",
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
	for other := range yamlnode.Pairs(mapping) {
		if slices.Index(order, other.Value) > slices.Index(order, key) {
			place = yamlnode.Field(mapping, other.Value) - 1
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
