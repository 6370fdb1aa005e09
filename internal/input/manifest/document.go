package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/yamledit"
)

// Parse reads the documents of a file or stream. The nodes keep their comments, and have
// the line numbers of the whole file for messages. Parse annotates each item with the
// path, its index in the file and the indentation of its lists, as kpt does. It skips
// empty documents.
//
// The error names the file and the line. For a file that looks like a template, the error
// is [ErrTemplated].
func Parse(file string, data []byte) ([]*yaml.RNode, error) {
	return new(Reader).Parse(file, data)
}

// each reads the objects of a document in order, and visits each with its text. An empty
// document has no objects. Only JSON, which has no marker between objects, may have more
// than one. Any other content after the first object is an error, because the decoder
// would ignore it.
func (d document) each(visit func(document, *yaml.RNode) error) error {
	decoder := yaml.NewDecoder(d.reader())
	var node, next yaml.Node
	switch err := decoder.Decode(&node); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return fmt.Errorf("the document that begins at line %d is not YAML: %w", d.line+1, d.reason(err))
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

// eachPart reads the objects of a document with several objects.
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

// annotate writes on an item where it comes from, and how its file formats it.
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

// shift adds the number of lines before a document to the lines of its nodes.
func shift(n *yaml.Node, lines int) {
	n.Line += lines
	for _, child := range n.Content {
		shift(child, lines)
	}
}

// reader reads the text of a document.
func (d document) reader() io.Reader {
	return bytes.NewReader(yamledit.WithoutVersion([]byte(strings.ReplaceAll(d.text, "\r\n", "\n"))))
}

// reason returns the YAML reader's own message from a chain of errors, with the line of the
// file.
func (d document) reason(err error) error {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "MalformedYAMLError: "), "yaml: ")
	if rest, is := strings.CutPrefix(text, "line "); is {
		number, why, _ := strings.Cut(rest, ":")
		if line, err := strconv.Atoi(number); err == nil {
			text = fmt.Sprintf("line %d:%s", line+d.line, why)
		}
	}
	return errors.New(text)
}
