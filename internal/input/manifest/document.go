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
	return new(Reader).Parse(file, data)
}

// each reads the objects of a document one after the other, and visits each with its
// text; an empty document has none. There are more than one only in JSON, which has
// no marker between them: what else follows the first is an error, for the decoder
// would leave it out.
func (d document) each(visit func(document, *yaml.RNode) error) error {
	decoder := yaml.NewDecoder(strings.NewReader(strings.ReplaceAll(d.text, "\r\n", "\n")))
	var node, next yaml.Node
	switch err := decoder.Decode(&node); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return fmt.Errorf("the document that begins at line %d is not YAML: %w", d.line+1, reason(err))
	}
	if err := decoder.Decode(&next); !errors.Is(err, io.EOF) {
		return d.eachPart(visit)
	}
	if err := bound.Node(&node); err != nil {
		return fmt.Errorf("cannot read the document that begins at line %d: %w", d.line+1, err)
	}
	if yaml.IsYNodeEmptyDoc(&node) {
		return nil
	}
	shift(&node, d.line)
	return visit(d, yaml.NewRNode(&node))
}

var errMore = errors.New(`has more than one object: begin each with a line "---"`)

// eachPart reads the objects of a document that holds several.
func (d document) eachPart(visit func(document, *yaml.RNode) error) error {
	parts, ok := d.cutJSON()
	if !ok {
		return fmt.Errorf("the document that begins at line %d %w", d.line+1, errMore)
	}
	for _, part := range parts {
		if err := part.each(visit); err != nil {
			return err
		}
	}
	return nil
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
