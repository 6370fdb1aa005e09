package manifest

import (
	"fmt"
	"hash/maphash"
	"iter"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Texts has the texts of items as read. It also has the documents that a [Reader] keeps
// only as text, by the item that represents them. The zero value is empty.
type Texts struct {
	of      map[*yaml.RNode]*run
	sources map[*yaml.RNode]*source
}

// run is a sequence of consecutive documents of one file.
type run struct {
	text  *fileText
	first int // the number of objects in the file before them
	docs  []named
	end   int // where the text after the last of them ends, or 0 if no such text is known
}

// source returns the place of a document. A run may have many documents, so it does not
// store the places.
func (r *run) source(i int) *source {
	doc := r.docs[i]
	out := source{fileText: r.text, begin: doc.begin, from: max(doc.from, doc.begin), to: doc.to, end: doc.to}
	if i == len(r.docs)-1 && r.end > 0 {
		out.end = r.end
	}
	return &out
}

// named is a document with the hash of its kind and name.
type named struct {
	document

	begin int // where the previous object ends in the file
	id    uint64
}

var seed = maphash.MakeSeed()

func idOf(kind, name string) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	h.WriteString(kind)
	h.WriteByte(0)
	h.WriteString(name)
	return h.Sum64()
}

// add adds documents, and returns the item that represents them.
func (t *Texts) add(r *run) *yaml.RNode {
	if t.of == nil {
		t.of = map[*yaml.RNode]*run{}
	}
	item := yaml.NewMapRNode(nil)
	t.of[item] = r
	return item
}

// Named reads the objects of a kind and a name among the documents that an item
// represents. For an item that does not represent documents, it returns nothing.
func (t Texts) Named(item *yaml.RNode, kind, name string) []*yaml.RNode {
	r := t.of[item]
	if r == nil {
		return nil
	}
	var out []*yaml.RNode
	id := idOf(kind, name)
	for i, doc := range r.docs {
		if doc.id != id {
			continue
		}
		if node := r.node(i); node.GetKind() == kind && node.GetName() == name {
			out = append(out, node)
		}
	}
	return out
}

// Documents reads the documents that an item represents, one after the other. For an item
// that does not represent documents, it yields nothing.
func (r *Reader) Documents(item *yaml.RNode) iter.Seq[*yaml.RNode] {
	return func(yield func(*yaml.RNode) bool) {
		r := r.Texts.of[item]
		for i := 0; r != nil && i < len(r.docs); i++ {
			if !yield(r.node(i)) {
				return
			}
		}
	}
}

// node reads a document again.
func (r *run) node(i int) *yaml.RNode {
	var out *yaml.RNode
	doc := r.docs[i].document
	err := doc.each(func(_ document, node *yaml.RNode) error {
		out = node
		return annotate(node, r.text.name, r.first+i, doc.text)
	})
	if err != nil {
		panic(fmt.Sprintf("read a document again: %v", err)) // the first read had no error
	}
	return out
}
