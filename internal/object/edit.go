package object

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamledit"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Edit edits the object in a copy of its item, without duplicate keys that have the same
// value. In a text, it changes only the lines that must change, and keeps the form of the
// text: who writes the item into a file decides whether that form can stay.
func (o Object) Edit(item *yaml.RNode, edit func(*yaml.RNode) error) error {
	if o.text == nil {
		removeRepeatedOnWay(item.YNode(), o.Path)
		return edit(o.InCopy(item))
	}
	root, text, err := o.text.in(item)
	if err != nil {
		return err
	}
	copied, err := Copy(yaml.NewRNode(root))
	if err != nil {
		return err
	}
	removeRepeatedOnWay(copied.YNode(), o.text.path)
	if err := edit(yaml.NewRNode(yamlnode.At(copied.YNode(), o.text.path))); err != nil {
		return err
	}
	documents, err := documentsOf(text.Value)
	if err != nil {
		return err
	}
	d := documents[o.text.doc]
	out, err := yamledit.Update([]byte(text.Value[d.from:d.to]), copied.YNode())
	if err != nil {
		return fmt.Errorf("the text in %s: %w", o.Path, err)
	}
	text.Value = text.Value[:d.from] + string(out) + text.Value[d.to:]
	return nil
}
