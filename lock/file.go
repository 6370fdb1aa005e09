package lock

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/finding"
	"github.com/goldenarch/goldenarch/registry"
)

// File is a YAML file with an ArchitectureLock in it, and maybe with other
// documents.
type File struct {
	name string
	text string // with line feeds only
	crlf bool
	bom  bool
	// from and to are where the lock's document is in the text.
	from, to int
	lock     Lock
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

// NewFile returns a file that is not there yet, with an empty lock.
func NewFile(name string) *File {
	return &File{name: name, text: empty, to: len(empty)}
}

// Errors of a file that holds no lock that can be edited.
var (
	ErrNoLock   = errors.New("the file has no ArchitectureLock")
	ErrTwoLocks = errors.New("the file has two ArchitectureLocks: make them one")
	ErrJSON     = errors.New("the file is JSON, and a lock is written as YAML: rename it")
)

// ReadFile reads the text of a file. The findings are about the lock in it; the
// error about the file.
func ReadFile(name string, data []byte) (*File, finding.List, error) {
	f := &File{name: name}
	data, f.bom = bytes.CutPrefix(data, []byte("\ufeff"))
	f.crlf = bytes.Contains(data, []byte("\r\n"))
	f.text = strings.ReplaceAll(string(data), "\r\n", "\n")
	if strings.HasPrefix(strings.TrimSpace(f.text), "{") {
		return nil, nil, fmt.Errorf("%s: %w", name, ErrJSON)
	}
	source := Source{At: finding.Object{File: name}}
	for i, part := range documents(f.text) {
		lock, err := decode(f.text[part.from:part.to])
		var wrong v1alpha1.Errors
		switch {
		case errors.As(err, &wrong):
			return nil, Invalid(finding.Object{Kind: v1alpha1.ArchitectureLockKind, File: name, Index: i}, wrong), nil
		case err != nil:
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		case lock == nil:
			continue
		case source.Lock != nil:
			return nil, nil, fmt.Errorf("%s: %w", name, ErrTwoLocks)
		}
		f.from, f.to = part.from, part.to
		source.Lock = lock
		source.At.Kind, source.At.APIVersion, source.At.Name, source.At.Index = lock.Kind, lock.APIVersion, lock.Name, i
	}
	if source.Lock == nil {
		return nil, nil, fmt.Errorf("%s: %w", name, ErrNoLock)
	}
	var found finding.List
	f.lock, found = New(source)
	return f, found, nil
}

// Invalid tells all that is wrong with a lock.
func Invalid(at finding.Object, errs v1alpha1.Errors) finding.List {
	var found finding.List
	for _, one := range errs {
		found = append(found, finding.Finding{
			ID: finding.LockInvalid, Severity: finding.Error, Object: at, Field: one.Path, Text: one.Text,
			Do: "correct it, or " + again,
		})
	}
	return found
}

// Lock returns what the file's lock says.
func (f *File) Lock() Lock { return f.lock }

// With returns the text of the file with the changes made. Entries that do not
// change keep their bytes, all keep their comments, and they are sorted. Without
// a change it is the text that was read.
func (f *File) With(changes []Change) ([]byte, error) {
	if len(changes) == 0 {
		return f.bytes(f.text), nil
	}
	document, want := f.text[f.from:f.to], f.after(changes)
	edited, ok := spliced(document, changes)
	if !ok || !f.says(edited, want) {
		// Not written as goldenarch writes: flow style, anchors, keys in quotes.
		var err error
		if edited, err = encoded(document, changes); err != nil {
			return nil, fmt.Errorf("%s: edit the lock: %w", f.name, err)
		}
		if !f.says(edited, want) {
			return nil, fmt.Errorf("%s: the lock is written in a way that cannot be edited: remove the file, and run 'goldenarch lock' again", f.name) //nolint:err113 // for eyes only
		}
	}
	return f.bytes(f.text[:f.from] + edited + f.text[f.to:]), nil
}

// after returns what the lock says after the changes.
func (f *File) after(changes []Change) []registry.Image {
	var out []registry.Image
	for _, image := range f.lock.Images() {
		if !slices.ContainsFunc(changes, func(c Change) bool { return c.Reference() == image.Reference }) {
			out = append(out, image)
		}
	}
	for _, c := range changes {
		if c.Answer != nil {
			out = append(out, *c.Answer)
		}
	}
	slices.SortFunc(out, func(a, b registry.Image) int { return strings.Compare(a.Reference, b.Reference) })
	return out
}

// says reports whether a document is a lock of just these images: what was
// edited is read again before anybody else does.
func (f *File) says(document string, want []registry.Image) bool {
	if f.to < len(f.text) && !strings.HasSuffix(document, "\n") {
		return false
	}
	lock, err := decode(document)
	if err != nil || lock == nil || len(lock.Images) != len(want) {
		return false
	}
	l, found := New(Source{Lock: lock})
	return !found.Failed() && slices.EqualFunc(l.Images(), want, equal)
}

// bytes returns a text as the file is written.
func (f *File) bytes(text string) []byte {
	if f.crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if f.bom {
		text = "\ufeff" + text
	}
	return []byte(text)
}

// decode reads a document; nil is one of another kind. The error is
// [v1alpha1.Errors] where the document is a lock.
func decode(document string) (*v1alpha1.ArchitectureLock, error) {
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(document), &node); err != nil {
		return nil, fmt.Errorf("read the YAML: %w", err)
	}
	if len(node.Content) == 0 || !isLock(node.Content[0]) {
		return nil, nil
	}
	data, err := k8syaml.YAMLToJSONStrict([]byte(document))
	if err != nil {
		return nil, fmt.Errorf("read the YAML: %w", err)
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, fmt.Errorf("read the lock: %w", err)
	}
	return v1alpha1.DecodeArchitectureLock(tree) //nolint:wrapcheck // the caller tells by its type
}

func isLock(object *yaml.Node) bool {
	kind, apiVersion := valueOf(object, "kind"), valueOf(object, "apiVersion")
	if kind == nil || apiVersion == nil {
		return false
	}
	group, _, _ := strings.Cut(apiVersion.Value, "/")
	return kind.Value == v1alpha1.ArchitectureLockKind && group == v1alpha1.Group
}

// equal reports whether two answers are the same to the last detail.
func equal(a, b registry.Image) bool {
	return a.Reference == b.Reference && a.Digest == b.Digest && a.MediaType == b.MediaType && a.Size == b.Size &&
		a.Mirror == b.Mirror && slices.Equal(a.Platforms, b.Platforms)
}

type part struct{ from, to int }

// documents cuts a text at the lines that begin with "---" or, which end one,
// "...".
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
	rest, ok := strings.CutPrefix(line, marker)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\n"))
}
