package lock

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// encoded makes the changes in a document and encodes it again. The comments stay, but the
// encoder chooses the layout of the rest.
func encoded(document string, changes []Change) (string, error) {
	ends, marker := lineEnd(document), ""
	document = plain(document)
	if first, rest, ok := strings.Cut(document, "\n"); ok && isMarker(first, "---") {
		if !isComment(strings.TrimPrefix(first, "---")) {
			return "", errMarker // the encoder would drop it
		}
		marker, document = first+"\n", rest
	}
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(document), &node); err != nil {
		return "", fmt.Errorf("read the YAML: %w", err)
	}
	object := node.Content[0]
	list := valueOf(object, "images")
	if list == nil || list.Kind != yaml.SequenceNode {
		list = &yaml.Node{Kind: yaml.SequenceNode}
		put(object, "images", list)
	}
	for _, c := range changes {
		i := slices.IndexFunc(list.Content, func(n *yaml.Node) bool {
			ref, err := imageref.Parse(textOf(n, "reference"))
			return err == nil && ref.String() == c.Reference()
		})
		switch {
		case c.Answer == nil && i >= 0:
			list.Content = slices.Delete(list.Content, i, i+1)
		case c.Answer != nil && i >= 0:
			fill(list.Content[i], *c.Answer)
		case c.Answer != nil:
			entry := &yaml.Node{Kind: yaml.MappingNode}
			fill(entry, *c.Answer)
			list.Content = append(list.Content, entry)
		}
	}
	slices.SortStableFunc(list.Content, func(a, b *yaml.Node) int {
		return strings.Compare(normal(textOf(a, "reference")), normal(textOf(b, "reference")))
	})
	list.Style = 0
	if len(list.Content) == 0 {
		list.Style = yaml.FlowStyle
	}
	if list.Style == 0 && list.LineComment != "" { // only flow style has a place for the comment
		key := object.Content[indexOf(object, "images")]
		key.HeadComment = strings.TrimPrefix(key.HeadComment+"\n"+list.LineComment, "\n")
		list.LineComment = ""
	}
	text, err := encode(&node, yaml.CompactSequenceStyle)
	return ended(marker+text, ends), err
}

var errMarker = errors.New("the lock begins on the line of its '---': begin it on the next line")

func normal(reference string) string {
	ref, err := imageref.Parse(reference)
	if err != nil {
		return reference
	}
	return ref.String()
}
