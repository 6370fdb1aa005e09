package lock

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
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
# +argocd:skip-file-rendering
apiVersion: goldenarch.dev/v1alpha1
kind: ArchitectureLock
metadata:
  name: golden-images
  annotations:
    config.kubernetes.io/local-config: "true" # kustomize and kpt leave it out; kubectl would apply it
images: []
`

// Empty returns the text of a file with an empty lock.
func Empty() []byte { return []byte(empty) }

// NewFile returns a new file with an empty lock. It does not write to the disk.
func NewFile(name string) *File {
	return &File{name: name, text: empty, to: len(empty)}
}

// ErrNone is the error of a file that should have a lock and has none.
var ErrNone = errors.New("the file has no ArchitectureLock")

// The errors of a file with a lock that goldenarch reads but cannot write.
var (
	errTwoLocks = errors.New("the file has two ArchitectureLocks: merge them into one")
	errInList   = errors.New("the ArchitectureLock is an item of a List, which goldenarch reads but does not write: make it a separate document")
	errNotUTF8  = errors.New("the file is not UTF-8, which goldenarch reads but does not write: save it as UTF-8")
	errJSON     = errors.New("the ArchitectureLock is JSON, which goldenarch reads but does not write: convert the file to YAML " +
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
		before := strings.Count(f.text[:part.from], "\n")
		locks, err := locksIn(document)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: the document that begins at line %d is not YAML: %w", name, before+1, yamlnode.ReadError(err, before))
		}
		for _, l := range locks {
			at := finding.Object{APIVersion: l.apiVersion, Kind: l.kind, File: name, Index: i}
			decoded, err := Decode(l.node, l.apiVersion, l.kind, before)
			if wrong, ok := errors.AsType[v1alpha1.Errors](err); ok {
				at.APIVersion = ""
				found = append(found, Invalid(at, l.below(wrong))...)
				continue
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
		return nil, nil, fmt.Errorf("%s: %w: remove it, or name another file for the lock (--file)", name, ErrNone)
	case len(sources) > 1:
		f.fixed = errTwoLocks
	case !utf8.ValidString(f.text):
		f.fixed = errNotUTF8
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
			Do: "correct the lock, or " + runAgain,
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

// content is what a lock says.
type content struct {
	images    []registry.Image
	operators []v1alpha1.LockedOperator
}

// after returns the images of the lock after the changes.
func (f *File) after(changes []Change) []registry.Image {
	out := slices.DeleteFunc(f.lock.Images(), func(image registry.Image) bool {
		return slices.ContainsFunc(changes, func(c Change) bool { return c.Reference() == image.Reference })
	})
	for _, c := range changes {
		if c.Answer != nil {
			out = append(out, *c.Answer)
		}
	}
	slices.SortFunc(out, func(a, b registry.Image) int { return strings.Compare(a.Reference, b.Reference) })
	return out
}

// operatorsAfter returns the operators of the lock after the changes.
func (f *File) operatorsAfter(changes []OperatorChange) []v1alpha1.LockedOperator {
	out := slices.DeleteFunc(f.lock.Operators(), func(o v1alpha1.LockedOperator) bool {
		return slices.ContainsFunc(changes, func(c OperatorChange) bool { return keyOf(c.operator()) == keyOf(o) })
	})
	for _, c := range changes {
		if c.Proven != nil {
			out = append(out, *c.Proven)
		}
	}
	slices.SortFunc(out, byPackage)
	return out
}

// matches reports whether a document is a lock with exactly this content. It checks the
// edited text before goldenarch writes it.
func (f *File) matches(document string, want content) bool {
	if f.to < len(f.text) && !strings.HasSuffix(document, "\n") {
		return false
	}
	locks, err := locksIn(plain(document))
	if err != nil || len(locks) != 1 || locks[0].path != "" {
		return false
	}
	lock, err := Decode(locks[0].node, locks[0].apiVersion, locks[0].kind, 0)
	if err != nil || len(lock.Images) != len(want.images) {
		return false
	}
	l, found := New(Source{Lock: lock})
	return !found.Failed() && slices.EqualFunc(l.Images(), want.images, equal) && slices.EqualFunc(l.Operators(), want.operators, sameOperator)
}

// equal reports whether two answers are the same in every detail.
func equal(a, b registry.Image) bool {
	return a.Reference == b.Reference && a.Digest == b.Digest && a.MediaType == b.MediaType && a.Size == b.Size &&
		a.Mirror == b.Mirror && a.Bundle == b.Bundle && slices.Equal(a.Platforms, b.Platforms) &&
		slices.Equal(a.Absent.Sorted(), b.Absent.Sorted())
}

// located is a lock in a document, not yet decoded.
type located struct {
	node             *yaml.Node
	kind, apiVersion string // an element of a list may omit them
	path             string // of the lock in the document: "" or "items[2]"
}

// locksIn returns the locks of a document: the document itself, or the elements of Lists,
// which render also reads.
func locksIn(document string) ([]located, error) {
	var out []located
	for _, text := range objects(document) {
		var node yaml.Node
		if err := yaml.Unmarshal([]byte(text), &node); err != nil {
			return nil, err
		}
		if len(node.Content) > 0 {
			out = append(out, open(located{node: node.Content[0]}, nil)...)
		}
	}
	return out, nil
}

// open returns the object if it is a lock, or the locks in it if it is a List. A List that
// contains one of the Lists around it never ends, and render refuses it.
func open(l located, around []*yaml.Node) []located {
	if kind := yamlnode.Text(l.node, "kind"); kind != "" {
		l.kind, l.apiVersion = kind, yamlnode.Text(l.node, "apiVersion")
	}
	group, _, _ := strings.Cut(l.apiVersion, "/")
	if l.kind == v1alpha1.ArchitectureLockKind && group == v1alpha1.Group {
		return []located{l}
	}
	kind, isList := strings.CutSuffix(l.kind, "List")
	items := yamlnode.Dealias(yamlnode.Value(l.node, "items"))
	if !isList || items == nil || items.Kind != yaml.SequenceNode || slices.Contains(around, l.node) {
		return nil
	}
	var out []located
	for i, item := range items.Content {
		path := strings.TrimPrefix(fmt.Sprintf("%s.items[%d]", l.path, i), ".")
		out = append(out, open(located{yamlnode.Dealias(item), kind, l.apiVersion, path}, append(slices.Clip(around), l.node))...)
	}
	return out
}

// below returns the errors of the lock with their paths in the document.
func (l located) below(errs v1alpha1.Errors) v1alpha1.Errors {
	out := slices.Clone(errs)
	for i := range out {
		out[i].Path = fieldpath.Below(l.path, out[i].Path)
	}
	return out
}

// fixed returns the reason why goldenarch cannot write the lock at its place in the
// document, or nil.
func (l located) fixed(document string) error {
	switch _, isJSON := values(document); {
	case isJSON:
		return errJSON
	case l.path != "":
		return errInList
	}
	return nil
}

// FileName is the default name of a lock.
const FileName = "golden-images.lock.yaml"

// Target returns the file that a name leads to, after links. Two names with the same target
// are one lock, which [Replace] writes. For a file that does not exist Target returns the
// absolute name.
//
// Two hard links are two targets: after a replacement the two names no longer lead to the
// same file.
func Target(name string) string {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // before Abs, which resolves ".." after a link to the link's own directory
	}
	whole, err := filepath.Abs(name)
	if err != nil {
		return filepath.Clean(name)
	}
	if target, err := filepath.EvalSymlinks(whole); err == nil {
		return target
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(whole)); err == nil {
		return filepath.Join(dir, filepath.Base(whole))
	}
	return whole
}
