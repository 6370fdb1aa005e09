package manifest

import (
	"fmt"
	"hash/maphash"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Texts are the texts that items were read from, and documents that a [Reader] keeps
// as text alone, by the items that stand for them. The zero value has none.
type Texts struct {
	of      map[*yaml.RNode]*run
	sources map[*yaml.RNode]*source
}

// run is documents of one file that follow each other.
type run struct {
	text  *fileText
	first int // how many objects of the file are before them
	docs  []named
	end   int // of the text behind the last of them, 0 for none
}

// source returns where a document is. There may be many of them, so it is not kept.
func (r *run) source(i int) *source {
	doc := r.docs[i]
	out := source{fileText: r.text, begin: doc.begin, from: max(doc.from, doc.begin), to: doc.to, end: doc.to}
	if i == len(r.docs)-1 && r.end > 0 {
		out.end = r.end
	}
	return &out
}

// named is a document and the hash of its kind and name.
type named struct {
	document

	begin int // where the object before it ends in the file
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

// add adds documents and returns the item that stands for them.
func (t *Texts) add(r *run) *yaml.RNode {
	if t.of == nil {
		t.of = map[*yaml.RNode]*run{}
	}
	item := yaml.NewMapRNode(nil)
	t.of[item] = r
	return item
}

// Named reads the objects of a kind and a name among the documents that an item
// stands for. Other items stand for none.
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

// node reads a document again.
func (r *run) node(i int) *yaml.RNode {
	var out *yaml.RNode
	doc := r.docs[i].document
	err := doc.each(func(_ document, node *yaml.RNode) error {
		out = node
		return annotate(node, r.text.name, r.first+i, doc.text)
	})
	if err != nil {
		panic(fmt.Sprintf("read a document again: %v", err)) // the first time there was no error
	}
	return out
}
