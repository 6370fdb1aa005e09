package lock

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// File is a YAML file with an ArchitectureLock, and possibly with other documents.
type File struct {
	name string
	text string
	bom  bool
	// from and to are the start and end of the lock's document in the text.
	from, to int
	lock     Lock
	// fixed is the reason why goldenarch can read the lock but not write it.
	fixed error
}

// empty is a lock without an entry.
const empty = `# What the registries answered: which architectures each image has.
# Written by 'goldenarch lock'.
apiVersion: goldenarch.dev/v1alpha1
kind: ArchitectureLock
metadata:
  name: golden-images
  annotations:
    config.kubernetes.io/local-config: "true" # never applied
images: []
`

// Empty returns the text of a file with an empty lock.
func Empty() []byte { return []byte(empty) }

// NewFile returns a new file with an empty lock. It does not write to the disk.
func NewFile(name string) *File {
	return &File{name: name, text: empty, to: len(empty)}
}

// The errors of a file without a lock, or with one that goldenarch reads but cannot write.
var (
	ErrNoLock   = errors.New("the file has no ArchitectureLock")
	ErrTwoLocks = errors.New("the file has two ArchitectureLocks: merge them into one")
	ErrInList   = errors.New("the ArchitectureLock is an item of a List, which goldenarch reads but does not write: make it a separate document")
	ErrJSON     = errors.New("the ArchitectureLock is JSON, which goldenarch reads but does not write: convert the file to YAML " +
		"('yq -p json -o yaml' does), or remove it, and run the command again")
)

// ReadFile reads the text of a file, in every form that render reads. The findings are
// about the lock in it; the error is about the file.
func ReadFile(name string, data []byte) (*File, finding.List, error) {
	f := &File{name: name}
	data, f.bom = bytes.CutPrefix(data, []byte("\ufeff"))
	f.text = string(data)
	var sources []Source
	var found finding.List
	for i, part := range documents(f.text) {
		document := plain(f.text[part.from:part.to])
		locks, err := locksIn(document)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, l := range locks {
			at := finding.Object{APIVersion: l.apiVersion, Kind: l.kind, File: name, Index: i}
			decoded, err := l.decode()
			if wrong, ok := errors.AsType[v1alpha1.Errors](err); ok {
				at.APIVersion = ""
				found = append(found, Invalid(at, l.below(wrong))...)
				continue
			}
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", name, err)
			}
			at.Name = decoded.Name
			sources = append(sources, Source{At: at, Lock: decoded})
			f.from, f.to, f.fixed = part.from, part.to, l.fixed(document)
		}
	}
	switch {
	case found.Failed():
		return nil, found, nil
	case len(sources) == 0:
		return nil, nil, fmt.Errorf("%s: %w", name, ErrNoLock)
	case len(sources) > 1:
		f.fixed = ErrTwoLocks
	}
	f.lock, found = New(sources...)
	return f, found, nil
}

// Invalid returns a finding for each error of a lock.
func Invalid(at finding.Object, errs v1alpha1.Errors) finding.List {
	var found finding.List
	for _, one := range errs {
		found = append(found, finding.Finding{
			ID: finding.LockInvalid, Severity: finding.Error, Object: at, Field: one.Path, Text: one.Text,
			Do: "correct the lock, or " + again,
		})
	}
	return found
}

// Lock returns the content of the file's lock.
func (f *File) Lock() Lock { return f.lock }

// With returns the text of the file with the changes. The entries are sorted, unchanged
// ones keep their bytes, and all keep their comments. Without a change With returns the
// original text.
func (f *File) With(changes []Change, others ...OperatorChange) ([]byte, error) {
	if len(changes)+len(others) == 0 {
		return f.bytes(f.text), nil
	}
	if f.fixed != nil {
		return nil, fmt.Errorf("%s: %w", f.name, f.fixed)
	}
	want := content{f.after(changes), f.lock.Operators()}
	document, err := f.edit(f.text[f.from:f.to], images, editsOf(changes), want)
	if err != nil {
		return nil, err
	}
	want.operators = f.operatorsAfter(others)
	if document, err = f.edit(document, operators, editsOf(others), want); err != nil {
		return nil, err
	}
	return f.bytes(f.text[:f.from] + document + f.text[f.to:]), nil
}

// edit makes the edits of one list in the lock's document.
func (f *File) edit(document string, l section, edits []edit, want content) (string, error) {
	if len(edits) == 0 {
		return document, nil
	}
	edited, ok := spliced(document, l, edits)
	edited = endedAs(edited, document)
	if !ok || !f.matches(edited, want) {
		// The file is not in goldenarch's form: it has flow style, anchors, or quoted keys.
		var err error
		if edited, err = encoded(document, l, edits); err != nil {
			return "", fmt.Errorf("%s: edit the lock: %w", f.name, err)
		}
		edited = endedAs(edited, document)
		if !f.matches(edited, want) {
			return "", fmt.Errorf("%s: goldenarch cannot edit a lock with anchors or merge keys: remove them, and run the command again", f.name)
		}
	}
	return edited, nil
}

// endedAs returns an edited document without a final newline if the original has none.
func endedAs(edited, document string) string {
	if document == "" || strings.HasSuffix(document, "\n") {
		return edited
	}
	return strings.TrimSuffix(strings.TrimSuffix(edited, "\n"), "\r")
}

// bytes returns a text with the line ends of the file.
func (f *File) bytes(text string) []byte {
	if f.bom {
		text = "\ufeff" + text
	}
	return []byte(text)
}
