package object

import (
	"errors"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/yamledit"
)

// errForm is the error for a text whose lines an edit would all change.
var errForm = errors.New("the text is not a literal block (|), so goldenarch would have to write all of it in another form")

// Edit edits the object in a copy of its item, without duplicate keys that have the same
// value. In a text, it changes only the lines that must change.
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
	if err := edit(yaml.NewRNode(at(copied.YNode(), o.text.path))); err != nil {
		return err
	}
	documents, err := documentsOf(text.Value)
	if err != nil {
		return err
	}
	d := documents[o.text.doc]
	out, err := yamledit.Edit([]byte(text.Value[d.from:d.to]), copied.YNode())
	if err != nil {
		return fmt.Errorf("the text in %s: %w", o.Path, err)
	}
	after := text.Value[:d.from] + string(out) + text.Value[d.to:]
	if after != text.Value && text.Style&yaml.LiteralStyle == 0 {
		return errForm
	}
	text.Value = after
	return nil
}

// NotEditable returns the finding that goldenarch cannot edit the object.
func (o Object) NotEditable(err error) finding.Finding {
	f := o.Unreadable(fmt.Errorf("write the CR: %w", err))
	if errors.Is(err, errForm) {
		f.ID, f.Text = finding.TextForm, "goldenarch cannot edit the CR: "+err.Error()
		f.Do = "write the text as a literal block: the key, a colon and |, and then its lines"
	}
	return f
}
