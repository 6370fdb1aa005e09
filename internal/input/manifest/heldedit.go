package manifest

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yamledit"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// into returns the text of a document in which the place has the content of an item.
func (h *held) into(text string, item *yaml.RNode) (string, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(withoutVersion(text)), &doc); err != nil {
		return "", fmt.Errorf("read the document again: %w", err)
	}
	at, err := h.Find(doc.Content[0])
	if err != nil {
		return "", err
	}
	want := item.YNode()
	if h.Version != "" {
		spec := yamlnode.Value(want, "spec")
		if outside := beyondSpec(want, crOf(yaml.NewMapRNode(nil).YNode(), h.Version)); outside != "" || spec == nil {
			return "", &yamledit.Error{
				Line: (*at).Line, Problem: fmt.Sprintf("the decision needs %s of the CR, and %s has only its spec", outside, fieldpath.Of(h.Steps)),
				Fix: "keep the whole CR there",
			}
		}
		want = spec
	}
	*at = yamlnode.Unplaced(want)
	out, err := yamledit.Update([]byte(text), &doc)
	return string(out), err
}

// beyondSpec names a field outside of the spec that differs from the CR around a spec.
func beyondSpec(cr, around *yaml.Node) string {
	for key, value := range yamlnode.Pairs(cr) {
		key := key.Value
		if before := yamlnode.Value(around, key); key != "spec" && (before == nil || !yamlnode.Same(before, value)) {
			return key
		}
	}
	return ""
}

// heldText returns the text of a document with the changes of all items that it holds.
func (t Texts) heldText(items []*yaml.RNode, of *source) (string, error) {
	text := of.body()
	for _, item := range t.heldIn(items, of) {
		if from := t.sources[item]; from.isChanged(item) {
			item = item.Copy()
			clearElements(item)
			drain(item, internalAnnotations)
			var err error
			if text, err = from.held.into(text, item); err != nil {
				return "", err
			}
		}
	}
	return text, nil
}

// heldIn returns the items that one document holds, in their order.
func (t Texts) heldIn(items []*yaml.RNode, of *source) []*yaml.RNode {
	return slices.DeleteFunc(slices.Clone(items), func(item *yaml.RNode) bool {
		from := t.sources[item]
		return from == nil || from.held == nil || from.fileText != of.fileText || from.from != of.from
	})
}
