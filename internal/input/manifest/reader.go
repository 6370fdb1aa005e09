package manifest

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/internal/template"
)

// Reader reads manifests. It reads every document, so that it reports an error in any of
// them. It keeps nodes only for the documents that the run needs, and text for the others:
// nodes take fifty times the memory of their text.
type Reader struct {
	// Needed reports whether the run needs the nodes of an item. If it is nil, all are
	// needed.
	Needed func(item *yaml.RNode) bool
	// Drop says that the reader keeps nothing of the documents that the run does not need.
	Drop bool
	// Texts has the documents that the run does not need as nodes.
	Texts Texts
	// Lenient leaves out documents that are not Kubernetes objects: configuration of
	// other programs, playbooks, values. Without it, they are errors.
	Lenient bool
	// IgnoreFrom says which .krmignore counts; nil: those of the directories themselves.
	IgnoreFrom IgnoreFrom

	budget regular.Budget
	// held are the files that Held has read, and places what it has read of them.
	held   []*fileText
	places []*source
}

// Parse reads the documents of a file or stream as the function [Parse] does. It returns
// one item without fields for each run of documents that are not needed, and Texts knows
// their text.
func (r *Reader) Parse(file string, data []byte) ([]*yaml.RNode, error) {
	p := parsing{reader: r, fileText: newFileText(file, data)}
	if isTemplate(p.name, p.text) {
		return nil, fmt.Errorf("%s: %w", file, ErrTemplated)
	}
	for _, doc := range split(p.text) {
		err := doc.each(p.add)
		switch {
		case p.failed != nil:
			return nil, p.failed
		case err != nil && template.IsCause(p.text):
			return nil, fmt.Errorf("%s: %w", file, ErrTemplated)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	switch { // what follows the last object belongs to that object
	case p.run != nil:
		p.run.end = len(p.text)
	case p.last != nil:
		p.last.end = len(p.text)
	}
	return p.items, nil
}

// parsing is a file while Parse reads it.
type parsing struct {
	*fileText

	reader  *Reader
	items   []*yaml.RNode
	objects int     // the number of objects read so far
	end     int     // where the last object read so far ends
	last    *source // the last object read so far that is needed
	run     *run    // the current run of documents that are not needed
	failed  error   // the error of an object
}

// add adds an object of the file.
func (p *parsing) add(doc document, node *yaml.RNode) error {
	if p.reader.isHeld(p.fileText, doc) {
		return nil
	}
	if p.reader.Lenient && isForeign(node) && !(template.HasObjectKey(node.YNode()) && template.HasAction(p.text)) {
		return nil
	}
	p.failed = p.check(doc, node)
	if p.failed != nil {
		return p.failed
	}
	if p.failed = annotate(node, p.name, p.objects, doc.text); p.failed != nil {
		return p.failed
	}
	from := p.source(doc)
	switch {
	case p.reader.Needed == nil || p.reader.Needed(node):
		p.items, p.run, p.last = append(p.items, node), nil, &from
		p.reader.Texts.keep(node, p.last)
	case !p.reader.Drop:
		p.keepText(doc, node, from)
	}
	p.objects, p.end = p.objects+1, doc.to
	return nil
}

func (p *parsing) check(doc document, node *yaml.RNode) error {
	if template.HasObjectKey(node.YNode()) && template.HasAction(p.text) {
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
