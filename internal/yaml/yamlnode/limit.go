package yamlnode

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// levels is how deep a text may be nested in other texts: a patch in a kustomization is the
// first level.
const levels = 8

var errLevels = errors.New("texts of YAML are nested too deep")

// CheckText checks a text as [CheckSize] checks a tree. It checks all documents of the text, and the
// texts in them that a reader may parse as YAML in turn, such as patches. A text that is
// not valid YAML has nothing to expand; the reader of the text reports it.
func CheckText(data []byte) error { return text(data, levels) }

func text(data []byte, left int) error {
	// One reader may stop at a document that another reader goes past, so CheckText checks each
	// document by itself, from where one may begin or end.
	for part := range bytes.SplitSeq(bytes.ReplaceAll(data, []byte("\n..."), []byte("\n---")), []byte("\n---")) {
		if flat(part) {
			continue
		}
		if left == 0 {
			return errLevels
		}
		decoder := yaml.NewDecoder(bytes.NewReader(part))
		for {
			var n yaml.Node
			if err := decoder.Decode(&n); err != nil {
				break
			}
			if err := CheckSize(&n); err != nil {
				return err
			}
			if len(n.Content) > 0 && n.Content[0].Kind == yaml.ScalarNode {
				continue // the value is itself a text, not an object
			}
			if err := scalars(&n, left-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// scalars checks the texts in a tree.
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
	// flatBrackets and flatIndent are above what most manifests have, and below what
	// [MaxLevels] allows: a level of a block takes at least half a column.
	flatBrackets = 200
	flatIndent   = 100
)

// flat reports whether a text cannot have an alias or deep nesting, whatever its content.
// Most files then need no parsing here.
func flat(data []byte) bool {
	if bytes.IndexByte(data, '\\') >= 0 || bytes.IndexByte(data, '&') >= 0 && bytes.IndexByte(data, '*') >= 0 {
		return false // an escape may encode any character of a nested text
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

const (
	// MaxLevels is the limit on how deep values may be nested. The deepest in Kubernetes are
	// the schemas of CRDs, with less than a hundred levels.
	MaxLevels = 500
	// MaxExpanded is the limit on how many values the anchors of one document may expand to.
	MaxExpanded = 100_000
)

var (
	// ErrAnchors is the error of anchors that never end, or that expand to too many values.
	ErrAnchors = fmt.Errorf("a YAML anchor contains itself, or the anchors expand to more than %d values or %d levels", MaxExpanded, MaxLevels)
	// ErrDepth is the error of values that are nested too deep.
	ErrDepth = fmt.Errorf("values are nested more than %d levels deep", MaxLevels)
)

// CheckSize follows the aliases of a tree. It returns [ErrAnchors] or [ErrDepth] if the tree
// exceeds a limit, and nil otherwise.
func CheckSize(n *yaml.Node) error {
	left := MaxExpanded
	return check(n, 0, written, &left)
}

// CheckDepth returns [ErrDepth] if the values of a tree are nested too deep, and nil otherwise.
// It does not follow aliases.
func CheckDepth(n *yaml.Node) error { return check(n, 0, written, nil) }

// Whether the reader comes to a node through an alias, or where it is written.
const written, throughAlias = false, true

// check follows at most so many nodes that are left through aliases; nil follows none.
func check(n *yaml.Node, depth int, aliased bool, left *int) error {
	if aliased {
		if *left--; *left < 0 {
			return ErrAnchors
		}
	}
	if depth > MaxLevels {
		if aliased {
			return ErrAnchors
		}
		return ErrDepth
	}
	if n.Kind == yaml.AliasNode {
		if n.Alias == nil || left == nil {
			return nil
		}
		return check(n.Alias, depth+1, throughAlias, left)
	}
	for _, child := range n.Content {
		if err := check(child, depth+1, aliased, left); err != nil {
			return err
		}
	}
	return nil
}
