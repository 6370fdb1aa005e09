package yamledit

import "sigs.k8s.io/kustomize/kyaml/yaml"

// Whether a node is in lines of its own, or inside brackets.
const inBlock, inFlow = false, true

// position is the position of a node in the text.
type position struct {
	node   *yaml.Node
	parent *position
	// start is where the node begins, including its anchor and tag. content is where it
	// begins without them.
	start, content int
	// end is the offset after the last byte of the node. If a node has no text, all three
	// are the offset after the colon or the dash.
	end int
	// flow says that the node is inside brackets, or has brackets itself.
	flow bool
	// column is where the keys or dashes of a block begin, counted from 0.
	column int
	// ended says that the end of a block scalar is at the beginning of a line, because the
	// scalar keeps its last line breaks.
	ended bool
	// inner is the indentation of the lines of a block scalar.
	inner   int
	entries []entry
	// index is that of the entry in the parent whose value the node is.
	index int
	// learned is the style of the collection, and quoted the quotes of its keys and texts.
	learned *learned
	quoted  *quoting
}

// add adds an entry.
func (p *position) add(e entry) {
	e.value.index = len(p.entries)
	p.entries = append(p.entries, e)
}

// entry is a field of a mapping, or an element of a sequence.
type entry struct {
	at    int       // the offset of the key, the dash, or the element of a flow sequence
	after int       // the offset after the colon or the dash
	key   *position // nil in a sequence
	value *position
}

// end returns the offset after the last byte of the entry.
func (e entry) end() int {
	return max(e.value.end, e.after)
}

// written reports whether a node has any text.
func (p *position) written() bool { return p.end > p.start }

func (p *position) isCollection() bool {
	return p.node.Kind == yaml.MappingNode || p.node.Kind == yaml.SequenceNode
}

// isBlock reports whether a node is a collection without brackets.
func (p *position) isBlock() bool { return p.isCollection() && !p.flow }

// inFlow reports whether a node is inside brackets.
func (p *position) inFlow() bool { return p.parent != nil && p.parent.flow }

// entry returns the entry with a node as its value.
func (p *position) entry() entry { return p.parent.entries[p.index] }

// last returns the node inside a block that ends last. If that is a block scalar, it may
// keep its line breaks.
func (p *position) last() *position {
	for p.isBlock() && len(p.entries) > 0 {
		e := p.entries[len(p.entries)-1]
		if !e.value.written() {
			return e.value
		}
		p = e.value
	}
	return p
}
