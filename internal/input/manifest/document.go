package manifest

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/bound"
)

// Parse reads the documents of a file or stream. The nodes keep their comments
// and have the lines of the whole file, so that messages can name them. Each is
// annotated with the path, its place in the file and the indentation of its
// lists, as kpt does. Empty documents are left out.
//
// The error names file and line; of a file that looks like a template, it is
// [ErrTemplated].
func Parse(file string, data []byte) ([]*yaml.RNode, error) {
	var items []*yaml.RNode
	for _, doc := range split(data) {
		nodes, err := doc.read()
		if err != nil {
			if templated(data) {
				return nil, fmt.Errorf("%s: %w", file, ErrTemplated)
			}
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, node := range nodes {
			if hasObjectKey(node.YNode()) && templated(data) {
				return nil, fmt.Errorf("%s: %w", file, ErrTemplated)
			}
			if node.YNode().Kind != yaml.MappingNode {
				return nil, fmt.Errorf("%s: the document that begins at line %d is not an object: expected a Kubernetes manifest", file, doc.line+1)
			}
			if err := annotate(node, file, len(items), doc.text); err != nil {
				return nil, err
			}
			items = append(items, node)
		}
	}
	return items, nil
}

// read reads the objects of a document, none of an empty one. There are more than
// one only in JSON, which has no marker between them: what else follows the first
// is an error, for the reader would leave it out.
func (d document) read() ([]*yaml.RNode, error) {
	decoder := yaml.NewDecoder(strings.NewReader(d.text))
	var node, next yaml.Node
	switch err := decoder.Decode(&node); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the document that begins at line %d is not YAML: %w", d.line+1, reason(err))
	}
	if err := decoder.Decode(&next); !errors.Is(err, io.EOF) {
		return d.readEach()
	}
	if err := bound.Node(&node); err != nil {
		return nil, fmt.Errorf("the document that begins at line %d cannot be read: %w", d.line+1, err)
	}
	if yaml.IsYNodeEmptyDoc(&node) {
		return nil, nil
	}
	shift(&node, d.line)
	return []*yaml.RNode{yaml.NewRNode(&node)}, nil
}

var errMore = errors.New(`holds more than one object, and what follows the first would not be read: begin each with a line "---"`)

// readEach reads a document of several objects, one after the other.
func (d document) readEach() ([]*yaml.RNode, error) {
	parts, ok := d.cutJSON()
	if !ok {
		return nil, fmt.Errorf("the document that begins at line %d %w", d.line+1, errMore)
	}
	var items []*yaml.RNode
	for _, part := range parts {
		read, err := part.read()
		if err != nil {
			return nil, err
		}
		items = append(items, read...)
	}
	return items, nil
}

// annotate says where an item came from and how it is written.
func annotate(item *yaml.RNode, file string, index int, text string) error {
	was, err := fill(item)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", file, err.node.Line, err)
	}
	if item.GetKind() == "" || item.GetApiVersion() == "" {
		return fmt.Errorf("%s:%d: a document without apiVersion or kind is no Kubernetes object: correct it, or name the file in .krmignore", file, item.YNode().Line)
	}
	notes := [][2]string{
		{kioutil.PathAnnotation, file},
		{kioutil.IndexAnnotation, strconv.Itoa(index)},
		{kioutil.SeqIndentAnnotation, yaml.DeriveSeqIndentStyle(text)},
		{EmptyAnnotation, was},
	}
	for _, note := range notes {
		if note[1] != "" {
			set(item, note[0], note[1])
		}
	}
	return nil
}

// shift adds the lines before a document to those of its nodes.
func shift(n *yaml.Node, lines int) {
	n.Line += lines
	for _, child := range n.Content {
		shift(child, lines)
	}
}

// reason takes the reader's own words out of a chain of errors.
func reason(err error) error {
	text := strings.TrimPrefix(err.Error(), "MalformedYAMLError: ")
	return fmt.Errorf("%s", strings.TrimPrefix(text, "yaml: "))
}
