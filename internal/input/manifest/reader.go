package manifest

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/regular"
)

// Reader reads manifests. It reads every document, so that it reports an error in
// any of them, and keeps the nodes of those that somebody needs. Nodes take fifty
// times the memory of their text, so of the other documents it keeps the text.
type Reader struct {
	// Needed reports whether somebody needs an item as nodes; nil is always.
	Needed func(item *yaml.RNode) bool
	// Texts are the documents that nobody needs as nodes.
	Texts Texts

	budget regular.Budget
}

// Parse reads the documents of a file or stream as the function [Parse] does. Of
// those that nobody needs, all that follow each other are one item without fields,
// which Texts knows.
func (r *Reader) Parse(file string, data []byte) ([]*yaml.RNode, error) {
	p := parsing{reader: r, fileText: newFileText(file, data)}
	for _, doc := range split(p.text) {
		err := doc.each(p.add)
		switch {
		case p.failed != nil:
			return nil, p.failed
		case err != nil && templated(p.text):
			return nil, fmt.Errorf("%s: %w", file, ErrTemplated)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	switch { // what follows the last object is its own
	case p.run != nil:
		p.run.end = len(p.text)
	case p.last != nil:
		p.last.end = len(p.text)
	}
	return p.items, nil
}

// parsing is a file that is being read.
type parsing struct {
	*fileText

	reader  *Reader
	items   []*yaml.RNode
	objects int     // that were read
	end     int     // of the last of them
	last    *source // of the last of them that somebody needs
	run     *run    // the documents before the next one that nobody needs
	failed  error   // of an object
}

// add takes an object of the file.
func (p *parsing) add(doc document, node *yaml.RNode) error {
	p.failed = p.check(doc, node)
	if p.failed != nil {
		return p.failed
	}
	if p.failed = annotate(node, p.name, p.objects, doc.text); p.failed != nil {
		return p.failed
	}
	from := p.source(doc)
	if p.reader.Needed == nil || p.reader.Needed(node) {
		p.items, p.run, p.last = append(p.items, node), nil, &from
		p.reader.Texts.keep(node, p.last)
	} else {
		p.keepText(doc, node, from)
	}
	p.objects, p.end = p.objects+1, doc.to
	return nil
}

func (p *parsing) check(doc document, node *yaml.RNode) error {
	if hasObjectKey(node.YNode()) && templated(p.text) {
		return fmt.Errorf("%s: %w", p.name, ErrTemplated)
	}
	if node.YNode().Kind != yaml.MappingNode {
		return fmt.Errorf("%s: the document that begins at line %d is not an object: expected a Kubernetes manifest", p.name, doc.line+1)
	}
	return nil
}

// keepText keeps the text of a document.
func (p *parsing) keepText(doc document, node *yaml.RNode, from source) {
	if p.run == nil {
		p.run = &run{text: p.fileText, first: p.objects}
		p.items = append(p.items, p.reader.Texts.add(p.run))
	}
	p.run.docs = append(p.run.docs, named{document: doc, begin: from.begin, id: idOf(node.GetKind(), node.GetName())})
}
