package manifest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Texts has the texts of items as read. It also has the documents that a [Reader] keeps
// only as text, by the item that represents them. The zero value is empty.
type Texts struct {
	of      map[*yaml.RNode][]*run
	rest    *yaml.RNode // the item that represents all documents whose order does not count
	sources map[*yaml.RNode]*origin
}

// run is a sequence of consecutive documents of one file.
type run struct {
	text  *fileText
	first int // the number of objects in the file before them
	docs  []kept
	end   int // where the text after the last of them ends, or 0 if no such text is known
}

// kept is a document that is kept as text. A run may have many, so it does not store their origins.
type kept struct {
	document

	begin int // where the previous object ends in the file
}

// source returns the origin of a document.
func (r *run) source(i int) *origin {
	doc, end := r.docs[i], r.docs[i].to
	if i == len(r.docs)-1 {
		end = max(end, r.end)
	}
	return originOf(r.text, doc.document, doc.begin, end)
}

// add adds documents, and returns the item that represents them if it is new. One item represents all those whose
// order does not count: a tree has many such documents, and each pass over the items takes its time.
func (t *Texts) add(r *run, ordered bool) []*yaml.RNode {
	if !ordered && t.rest != nil {
		t.of[t.rest] = append(t.of[t.rest], r)
		return nil
	}
	if t.of == nil {
		t.of = map[*yaml.RNode][]*run{}
	}
	item := yaml.NewMapRNode(nil)
	t.of[item] = []*run{r}
	if !ordered {
		t.rest = item
	}
	return []*yaml.RNode{item}
}

// Named reads the objects of a kind and a name among the documents that an item
// represents, also in Lists. For an item that does not represent documents, it returns nothing.
func (t Texts) Named(item *yaml.RNode, kind, name string) []*yaml.RNode {
	var out []*yaml.RNode
	for _, r := range t.of[item] {
		for i, doc := range r.docs {
			if !strings.Contains(doc.text, name) {
				continue
			}
			if head, ok := doc.head(r.text.name); ok && head.Kind != kind {
				continue // to decode a document takes longer
			}
			for _, node := range r.objects(i, name) {
				if yamlnode.Text(node.YNode(), "kind") == kind && yamlnode.Text(node.YNode(), yaml.MetadataField, "name") == name {
					out = append(out, node)
				}
			}
		}
	}
	return out
}

// objects reads the object of a document, or the elements of a List whose text has a word.
func (r *run) objects(i int, word string) []*yaml.RNode {
	list, isList := r.docs[i].list()
	if !isList {
		if node, err := r.read(i); err == nil && node != nil {
			return []*yaml.RNode{node}
		}
		return nil
	}
	var out []*yaml.RNode
	for at, element := range list.Elements {
		if !bytes.Contains(element.Text, []byte(word)) {
			continue
		}
		if node := elementOf(list, at); node != nil && placed(node, r.text.name, r.first+i) == nil {
			out = append(out, node)
		}
	}
	return out
}

// read reads a document again, which may be the first time if the reader skipped it.
func (r *run) read(i int) (*yaml.RNode, error) {
	node, err := r.docs[i].decode()
	if err != nil || node == nil {
		return nil, err
	}
	return node, placed(node, r.text.name, r.first+i)
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

// originOf returns the place of a document, with the text around it.
func originOf(file *fileText, doc document, begin, end int) *origin {
	return &origin{fileText: file, begin: begin, from: max(doc.from, begin), to: doc.to, end: end}
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

// edited returns the text of an item after its changes, and the edits of the text, nil if they are not known. The error says
// why goldenarch cannot edit the text.
func (s *origin) edited(item *yaml.RNode) (string, []yamledit.Splice, error) {
	if !s.isChanged(item) {
		return s.body(), nil, nil
	}
	item = item.Copy() // the code below may change and encode it
	if err := yamlnode.ParseListAsText(item.YNode()); err != nil {
		return "", nil, err
	}
	if s.built {
		text, err := encodeBuilt(item)
		return text, nil, err
	}
	text, done, err := yamledit.UpdateEdits([]byte(s.body()), item.Document())
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
