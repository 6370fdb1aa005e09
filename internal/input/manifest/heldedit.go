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
func (h *held) into(text string, item *yaml.RNode) (string, []yamledit.Splice, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(yamledit.WithoutVersion([]byte(text)), &doc); err != nil {
		return "", nil, fmt.Errorf("read the document again: %w", err)
	}
	at, err := h.Find(doc.Content[0])
	if err != nil {
		return "", nil, err
	}
	want := item.YNode()
	if h.Version != "" {
		spec := yamlnode.Value(want, "spec")
		if outside := beyondSpec(want, crOf(yaml.NewMapRNode(nil).YNode(), h.Version)); outside != "" || spec == nil {
			return "", nil, &yamledit.Error{
				Line: (*at).Line, Problem: fmt.Sprintf("the decision needs %s of the CR, and %s has only its spec", outside, fieldpath.Of(h.Steps)),
				Fix: "keep the whole CR there",
			}
		}
		want = spec
	}
	*at = yamlnode.Unplaced(want)
	out, done, err := yamledit.UpdateEdits([]byte(text), &doc)
	return string(out), done, err
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

// heldText returns the text of a document with the changes of all items that it holds. It
// also returns the edits if only one item changes: the offsets of a second one are those of
// the text between.
func (t Texts) heldText(items []*yaml.RNode, of *source) (string, []yamledit.Splice, error) {
	text := of.body()
	var edits []yamledit.Splice
	changed := 0
	for _, item := range t.heldIn(items, of) {
		if from := t.sources[item]; from.isChanged(item) {
			item = item.Copy()
			clearElements(item)
			drain(item, internalAnnotations)
			var err error
			if text, edits, err = from.held.into(text, item); err != nil {
				return "", nil, err
			}
			changed++
		}
	}
	if changed > 1 {
		edits = nil
	}
	return text, edits, nil
}

// heldIn returns the items that one document holds, in their order.
func (t Texts) heldIn(items []*yaml.RNode, of *source) []*yaml.RNode {
	return slices.DeleteFunc(slices.Clone(items), func(item *yaml.RNode) bool {
		from := t.sources[item]
		return from == nil || from.held == nil || from.fileText != of.fileText || from.from != of.from
	})
}
