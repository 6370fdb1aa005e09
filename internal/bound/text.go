package bound

import (
	"bytes"
	"errors"
	"iter"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// levels is how deep texts may stand in texts: a patch in a kustomization is the
// first level.
const levels = 8

var errLevels = errors.New("texts of YAML are nested too deep")

// Text looks through a text as [Node] does through a tree: through all its
// documents, and through the texts in them that may be read as YAML in turn, such
// as patches. A text that is not valid YAML has nothing to expand; the reader of the
// text reports it.
func Text(data []byte) error { return text(data, levels) }

func text(data []byte, left int) error {
	if flat(data) {
		return nil
	}
	if left == 0 {
		return errLevels
	}
	// A reader that stops at a document may not be the only one, so each is read
	// by itself.
	for part := range parts(data) {
		decoder := yaml.NewDecoder(bytes.NewReader(part))
		for {
			var n yaml.Node
			if err := decoder.Decode(&n); err != nil {
				break
			}
			if err := Node(&n); err != nil {
				return err
			}
			if len(n.Content) > 0 && n.Content[0].Kind == yaml.ScalarNode {
				continue // it is a text itself, and no object
			}
			if err := scalars(&n, left-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// parts cuts a text where a document may begin or end.
func parts(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for part := range bytes.SplitSeq(data, []byte("\n---")) {
			for part := range bytes.SplitSeq(part, []byte("\n...")) {
				if !yield(part) {
					return
				}
			}
		}
	}
}

// scalars looks through the texts in a tree.
func scalars(n *yaml.Node, left int) error {
	if n.Kind == yaml.ScalarNode {
		return text([]byte(n.Value), left)
	}
	for _, child := range n.Content {
		if err := scalars(child, left); err != nil {
			return err
		}
	}
	return nil
}

const (
	// flatBrackets and flatIndent are more than most manifests have, and less
	// than [Depth] takes: a level of a block is at least half a column.
	flatBrackets = 200
	flatIndent   = 100
)

// flat reports whether a text can have no alias and no depth, whatever it is. It
// spares most files a reading.
func flat(data []byte) bool {
	if bytes.IndexByte(data, '\\') >= 0 || bytes.IndexByte(data, '&') >= 0 && bytes.IndexByte(data, '*') >= 0 {
		return false // an escape may stand for anything in a text inside
	}
	brackets, indent, leading := 0, 0, true
	for _, c := range data {
		switch c {
		case '\n', '\r':
			indent, leading = 0, true
			continue
		case '{', '[':
			if brackets++; brackets > flatBrackets {
				return false
			}
		}
		if leading && strings.IndexByte(" \t-?:\x00", c) >= 0 {
			if indent++; indent > flatIndent {
				return false
			}
			continue
		}
		leading = false
	}
	return true
}
