package lock

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

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
