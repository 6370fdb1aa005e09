package edit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
)

// InPlace returns the files into which goldenarch must write the edits of the built items. A
// build with these files gives the edited items, byte for byte. The error is [ErrNoPlace], a
// [SharedError] for a file that others build, or an error of [manifest.Texts.Edits].
func InPlace(b kustomize.Built, consumers *Consumers) ([]files.Change, error) {
	out, _, err := placed(b, consumers)
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return out, mustGive(b, out)
}

// MayRefuse reports whether [InPlace] fails for another reason than others who build the files, or whether [Patches] may fail. It builds
// only where a transformer or a replacement may set what a file sets as well.
func MayRefuse(b kustomize.Built, consumers *Consumers) bool {
	out, sure, err := placed(b, consumers)
	if _, shared := errors.AsType[*SharedError](err); shared {
		return !sure
	}
	return err != nil || !sure && mustGive(b, out) != nil
}

// placed returns the edits of the files that set what changed, and whether a build with them is sure to give it.
func placed(b kustomize.Built, consumers *Consumers) (out []files.Change, sure bool, err error) {
	changes, err := changesOf(b)
	if err != nil || len(changes) == 0 {
		return nil, true, err
	}
	dir, err := files.Real(b.Path)
	if err != nil {
		return nil, false, err
	}
	all := fragmentsOf(&Session{}, b.Path, dir)
	known := map[string]*SharedError{}
	p := placer{shown: consumers.shown, others: func(file string) *SharedError {
		shared, ok := known[file]
		if !ok {
			shared = consumers.Others(dir, file)
			known[file] = shared
		}
		return shared
	}}
	for _, c := range changes {
		p.fragments = all.relevant(c.item)
		for _, one := range c.changes() {
			if err := p.place(one); err != nil {
				return nil, all.sure, err
			}
		}
	}
	out, err = editsOf(p.changed, consumers.shown)
	return out, all.sure, err
}

// Taking returns edits with other texts of the files, by their names, if a build with these gives the
// edited items, too, and otherwise the edits.
func Taking(b kustomize.Built, edits []files.Change, texts map[string][]byte) []files.Change {
	out, others := slices.Clone(edits), false
	for i, edit := range edits {
		if text := texts[edit.Name]; text != nil && !bytes.Equal(text, edit.After) {
			out[i], others = files.Change{Name: edit.Name, Before: edit.Before, After: text}, true
		}
	}
	if !others || mustGive(b, out) != nil {
		return edits
	}
	return out
}

// mustGive fails unless a build with the edited files gives the edited items.
func mustGive(b kustomize.Built, edits []files.Change) error {
	wrong, err := wrongWith(b, edits)
	if len(wrong) > 0 {
		return fmt.Errorf("%s %q: the build would not give what was decided: %w", wrong[0].GetKind(), wrong[0].GetName(), ErrNoPlace)
	}
	return err
}

// wrongWith returns the items that a build with the edited files does not give as they are
// now.
func wrongWith(b kustomize.Built, edits []files.Change) ([]*yaml.RNode, error) {
	again, err := b.With(edits)
	if err != nil {
		return nil, err
	}
	if len(again.Items) != len(b.Items) {
		return nil, ErrNoPlace
	}
	return otherIn(b, again)
}

// otherIn returns the items that another build of as many does not give as they are now.
func otherIn(b, again kustomize.Built) ([]*yaml.RNode, error) {
	var out []*yaml.RNode
	for i, item := range b.Items {
		_, want, err := b.Texts.Body(item)
		if err != nil {
			return nil, err
		}
		if got, _, err := again.Texts.Body(again.Items[i]); err != nil || got != want {
			out = append(out, item)
		}
	}
	return out, nil
}

// readText returns the text of a file, or nil if it cannot read the file.
func readText(path string) []byte {
	data, _ := files.Read(path)
	return data
}
