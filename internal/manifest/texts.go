package manifest

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Texts has the texts of items as read. It also has the documents that a [Reader] keeps
// only as text, by the item that represents them. The zero value is empty.
type Texts struct {
	of      map[*yaml.RNode][]*run
	skipped *yaml.RNode // the item that represents all documents that nobody has decoded
	sources map[*yaml.RNode]*origin
}

// run is a sequence of consecutive documents of one file.
type run struct {
	text  *fileText
	first int // the number of objects in the file before them
	docs  []named
	// elements has the hashes of the kinds and names of the elements, if the run is one List.
	elements []uint64
	end      int // where the text after the last of them ends, or 0 if no such text is known
}

// source returns the place of a document. A run may have many documents, so it does not
// store the places.
func (r *run) source(i int) *origin {
	doc := r.docs[i]
	out := origin{fileText: r.text, begin: doc.begin, from: max(doc.from, doc.begin), to: doc.to, end: doc.to}
	if i == len(r.docs)-1 && r.end > 0 {
		out.end = r.end
	}
	return &out
}

// named is a document with the hash of its kind and name. The name of one that nobody has decoded is empty.
type named struct {
	document

	begin int // where the previous object ends in the file
	id    uint64
}

// nameOf returns the name of an object, after following aliases.
func nameOf(item *yaml.RNode) string { return yamlnode.Text(item.YNode(), yaml.MetadataField, "name") }

// add adds documents, and returns the item that represents them.
func (t *Texts) add(r *run) *yaml.RNode {
	if t.of == nil {
		t.of = map[*yaml.RNode][]*run{}
	}
	item := yaml.NewMapRNode(nil)
	t.of[item] = []*run{r}
	return item
}

// addSkipped adds a document that nobody has decoded, and returns the item that represents all of them if it is
// new: a tree has many such documents, and each pass over the items takes its time.
func (t *Texts) addSkipped(r *run) []*yaml.RNode {
	if t.skipped != nil {
		t.of[t.skipped] = append(t.of[t.skipped], r)
		return nil
	}
	t.skipped = t.add(r)
	return []*yaml.RNode{t.skipped}
}

// Named reads the objects of a kind and a name among the documents that an item
// represents. For an item that does not represent documents, it returns nothing.
func (t Texts) Named(item *yaml.RNode, kind, name string) []*yaml.RNode {
	var out []*yaml.RNode
	known, skipped := yamlnode.HashOf(kind, name), yamlnode.HashOf(kind, "")
	for _, r := range t.of[item] {
		out = append(out, r.namedElements(kind, name)...)
		for i, doc := range r.docs {
			if r.elements != nil || doc.id != known && doc.id != skipped {
				continue
			}
			if node, err := r.read(i); err == nil && headOf(node, "kind") == kind && nameOf(node) == name {
				out = append(out, node)
			}
		}
	}
	return out
}

// node reads a document again.
func (r *run) node(i int) *yaml.RNode {
	out, err := r.read(i)
	if err != nil {
		panic(fmt.Sprintf("read a document again: %v", err)) // the first read had no error
	}
	return out
}

// read reads a document.
func (r *run) read(i int) (*yaml.RNode, error) {
	var out *yaml.RNode
	doc := r.docs[i].document
	err := doc.each(func(_ document, node *yaml.RNode) error {
		out = node
		return annotate(node, r.text.name, r.first+i, doc.text)
	})
	return out, err
}

// fileText is the text of a file as read.
type fileText struct {
	name, text string
	marked     bool // the file begins with a byte order mark, which text does not include
}

func newFileText(name string, data []byte) *fileText {
	text, marked := strings.CutPrefix(string(data), "\ufeff")
	return &fileText{name: name, text: text, marked: marked}
}

// origin is the place of an item in its file.
type origin struct {
	*fileText

	// The item is the text between from and to. The text between begin and from has
	// comments, markers and documents without an object. For the last item of a file, such
	// text may also follow, up to end.
	begin, from, to, end int
	// hash is the hash of the item as read.
	hash uint64
	// built says that kustomize has written the text. Then edited encodes a changed item.
	built bool
	// crPart is the place of the item, if the item is a part of the document.
	crPart *crPart
}

// source returns the place of the document that the reader has reached.
func (p *parsing) source(doc document) origin {
	return origin{fileText: p.fileText, begin: p.end, from: max(doc.from, p.end), to: doc.to, end: doc.to}
}

// keep keeps the text of an item.
func (t *Texts) keep(item *yaml.RNode, from *origin) {
	if t.sources == nil {
		t.sources = map[*yaml.RNode]*origin{}
	}
	from.hash = yamlnode.Hash(item.Document())
	t.sources[item] = from
}

// AddBuilt adds the text that kustomize has written for an item.
func (t *Texts) AddBuilt(item *yaml.RNode, text []byte) {
	t.keep(item, &origin{fileText: &fileText{text: string(text)}, to: len(text), end: len(text), built: true})
}

// Add adds all texts of another Texts.
func (t *Texts) Add(others Texts) {
	if t.sources == nil {
		t.sources = map[*yaml.RNode]*origin{}
	}
	maps.Copy(t.sources, others.sources)
}

// body returns the text of the item without the text around it.
func (s *origin) body() string { return s.text[s.from:s.to] }

// isChanged reports whether an item differs from the item as read.
func (s *origin) isChanged(item *yaml.RNode) bool { return yamlnode.Hash(item.Document()) != s.hash }

// edited returns the text of an item after its changes. The error says why goldenarch
// cannot edit the text.
func (s *origin) edited(item *yaml.RNode) (string, error) {
	if !s.isChanged(item) {
		return s.body(), nil
	}
	text, _, err := s.editedIn(s.body(), item)
	return text, err
}

// editedIn returns a text, which is the body or has changes of other items in it, with those of
// a changed item, and the edits of the text, nil if they are not known.
func (s *origin) editedIn(body string, item *yaml.RNode) (string, []yamledit.Splice, error) {
	item = item.Copy() // the code below may change and encode it
	if err := yamlnode.ParseListAsText(item.YNode()); err != nil {
		return "", nil, err
	}
	clearElements(item)
	drain(item)
	if s.built {
		text, err := encodeBuilt(item)
		return text, nil, err
	}
	if s.crPart != nil {
		return s.crPart.into(body, item)
	}
	text, done, err := yamledit.UpdateEdits([]byte(body), item.Document())
	return string(text), done, err
}

// encodeBuilt returns the text of an item as kustomize writes it after a function returned
// it (kustomize api/resource/resource.go: AsYAML).
func encodeBuilt(item *yaml.RNode) (string, error) {
	if text, ok := yamlnode.AsKustomize(item.YNode()); ok {
		return string(text), nil
	}
	yamlnode.Safe(item.Document())
	data, err := item.MarshalJSON()
	if err != nil {
		return "", fmt.Errorf("encode the manifests: %w", err)
	}
	text, err := k8syaml.JSONToYAML(data)
	if err != nil {
		return "", fmt.Errorf("encode the manifests: %w", err)
	}
	return string(text), nil
}

// internalAnnotations are the annotations with which tools pass items to each other.
var internalAnnotations = []string{
	kioutil.PathAnnotation, kioutil.IndexAnnotation, kioutil.SeqIndentAnnotation, kioutil.IdAnnotation,
	kioutil.LegacyPathAnnotation, kioutil.LegacyIndexAnnotation, kioutil.LegacyIdAnnotation, //nolint:staticcheck // older hosts set them
	kioutil.InternalAnnotationsMigrationResourceIDAnnotation,
	"internal.config.kubernetes.io/package-path",
	"config.kubernetes.io/merge-source",
}

// Write writes the items as YAML documents, without the internal annotations. It writes
// everything at once, so after an error it has written nothing. The values are the same as
// in the items, but their form may differ.
func Write(w io.Writer, items []*yaml.RNode) error { return Texts{}.Write(w, items) }

// Write writes items as the function [Write] does. In place of an item that represents
// documents, it writes the documents. If it knows the text of an item, the unchanged parts
// keep their bytes.
func (t Texts) Write(w io.Writer, items []*yaml.RNode) error {
	var out stream
	edits, err := t.edits(items)
	if err != nil {
		return err
	}
	for i, item := range items {
		if from := t.sources[item]; from != nil && from.crPart != nil && t.partsIn(items, from)[0] != item {
			continue // the first item has written the document
		}
		if runs := t.of[item]; runs != nil {
			if err := out.writeRuns(runs); err != nil {
				return err
			}
			continue
		}
		if err := out.write(item, edits[i]); err != nil {
			return err
		}
	}
	if err := out.close(); err != nil {
		return err
	}
	for _, page := range out.pages {
		if _, err := w.Write(page); err != nil {
			return fmt.Errorf("write the manifests: %w", err)
		}
	}
	return nil
}

// writeRuns writes the documents of runs as they are.
func (s *stream) writeRuns(runs []*run) error {
	for _, r := range runs {
		for doc := range r.docs {
			from := r.source(doc)
			if !isOnlyJSON(from.body()) {
				s.writeSource(from, from.body())
			} else if err := s.write(r.node(doc), edit{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// edit is the text of an item after its changes. One without a source has no text, or
// none that can be edited.
type edit struct {
	*origin

	text string
}

// edits returns the edits of items, in their order. An edit parses and encodes, and it
// reads the items of its own document only, so all processors share the work. An item that
// is a part of a document has no other form, so it is an error if its text cannot be edited.
func (t Texts) edits(items []*yaml.RNode) ([]edit, error) {
	out := make([]edit, len(items))
	failed := make([]error, len(items))
	parallel.Each(len(items), func(i int) {
		from := t.sources[items[i]]
		if from == nil || t.of[items[i]] != nil {
			return
		}
		if from.crPart != nil {
			text, _, err := t.partText(items, from)
			if unsafe, ok := errors.AsType[*yamledit.Error](err); ok {
				err = &UnsafeError{File: from.name, Item: items[i], Reason: from.inFile(*unsafe)}
			}
			out[i], failed[i] = edit{from, text}, err
			return
		}
		if text, err := from.edited(items[i]); err == nil && !isOnlyJSON(text) {
			out[i] = edit{from, text}
		}
	})
	return out, errors.Join(failed...)
}

func encode(encoder *yaml.Encoder, item *yaml.RNode) error {
	if noteOf(item, kioutil.SeqIndentAnnotation) == string(yaml.WideSequenceStyle) {
		encoder.DefaultSeqIndent()
	} else {
		encoder.CompactSeqIndent()
	}
	if err := yamlnode.ParseListAsText(item.YNode()); err != nil {
		return fmt.Errorf("encode the manifests: %w", err)
	}
	clearElements(item)
	drain(item)
	yamlnode.Safe(item.Document())
	if err := encoder.Encode(item.Document()); err != nil {
		return fmt.Errorf("encode the manifests: %w", err)
	}
	return nil
}

// pages is a buffer that grows without copying its content.
type pages [][]byte

const page = 1 << 16

func (p *pages) Write(data []byte) (int, error) {
	n := len(data)
	for len(data) > 0 {
		last := len(*p) - 1
		if last < 0 || len((*p)[last]) == page {
			*p, last = append(*p, make([]byte, 0, page)), last+1
		}
		some := min(len(data), page-len((*p)[last]))
		(*p)[last], data = append((*p)[last], data[:some]...), data[some:]
	}
	return n, nil
}

// clearElements removes the internal annotations from the elements of a List.
func clearElements(item *yaml.RNode) {
	list := yamlnode.Dealias(yamlnode.Value(item.YNode(), "items"))
	if list == nil || list.Kind != yaml.SequenceNode {
		return
	}
	for _, element := range list.Content {
		metadata := yamlnode.Dealias(yamlnode.Value(yamlnode.Dealias(element), yaml.MetadataField))
		annotations := yamlnode.Dealias(yamlnode.Value(metadata, annotationsField))
		for _, key := range internalAnnotations {
			if annotations != nil {
				yamlnode.Remove(annotations, key)
			}
		}
	}
}

// noteOf returns the value of an annotation, or "" if the item does not have it.
func noteOf(item *yaml.RNode, key string) string {
	return yamlnode.Text(item.YNode(), yaml.MetadataField, annotationsField, key)
}

// with returns the file with new texts for some of its parts.
func (f *fileText) with(parts []part) files.Change {
	slices.SortFunc(parts, func(a, b part) int { return a.from - b.from })
	var after strings.Builder
	mark := ""
	if f.marked {
		mark = "\ufeff"
	}
	after.WriteString(mark)
	at := 0
	edits, known := []files.Edit(nil), true
	for _, p := range parts {
		after.WriteString(f.text[at:p.from])
		after.WriteString(p.text)
		at = p.to
		known = known && (p.edits != nil || p.text == f.text[p.from:p.to])
		for _, e := range p.edits {
			edits = append(edits, files.Edit{From: len(mark) + p.from + e.From, To: len(mark) + p.from + e.To, Text: e.Text})
		}
	}
	after.WriteString(f.text[at:])
	if !known {
		edits = nil
	}
	return files.Change{Name: f.name, Before: []byte(mark + f.text), After: []byte(after.String()), Edits: edits}
}
