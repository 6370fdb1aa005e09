package manifest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"
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
		nodes, err := (&kio.ByteReader{
			Reader: strings.NewReader(doc.text), OmitReaderAnnotations: true, DisableUnwrapping: true,
		}).Read()
		if err != nil {
			if templated(data) {
				return nil, fmt.Errorf("%s: %w", file, ErrTemplated)
			}
			return nil, fmt.Errorf("%s: the document that begins at line %d is not YAML: %w", file, doc.line+1, reason(err))
		}
		for _, node := range nodes {
			if hasObjectKey(node.YNode()) && templated(data) {
				return nil, fmt.Errorf("%s: %w", file, ErrTemplated)
			}
			if node.YNode().Kind != yaml.MappingNode {
				return nil, fmt.Errorf("%s: the document that begins at line %d is not an object: expected a Kubernetes manifest", file, doc.line+1)
			}
			shift(node.YNode(), doc.line)
			if err := annotate(node, file, len(items), doc.text); err != nil {
				return nil, err
			}
			items = append(items, node)
		}
	}
	return items, nil
}

// document is a part of a file, with the number of lines before it.
type document struct {
	text string
	line int
}

// split cuts a file at the lines that begin with "---". kyaml cuts the same
// way, or comments before a document would go to the one before; it does not
// tell the lines.
func split(data []byte) []document {
	text := string(bytes.TrimPrefix(data, []byte("\ufeff")))
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var docs []document
	start, startLine := 0, 0
	offset, line := 0, 0
	for row := range strings.SplitAfterSeq(text, "\n") {
		if offset > 0 && isMarker(row) {
			docs = append(docs, document{text[start:offset], startLine})
			start, startLine = offset, line
		}
		offset += len(row)
		line++
	}
	return keepComments(append(docs, document{text[start:], startLine}))
}

// keepComments moves a document that has nothing but comments into the one
// after it, which would lose them otherwise.
func keepComments(docs []document) []document {
	var out []document
	for i, doc := range docs {
		next := i + 1
		if next < len(docs) && onlyComments(doc.text) && strings.HasPrefix(docs[next].text, "---\n") {
			docs[next].text = strings.TrimPrefix(doc.text, "---") + strings.TrimPrefix(docs[next].text, "---")
			docs[next].line = doc.line
			continue
		}
		out = append(out, doc)
	}
	return out
}

func onlyComments(text string) bool {
	comment := false
	for row := range strings.Lines(strings.TrimPrefix(text, "---\n")) {
		row = strings.TrimSpace(row)
		if row != "" && !strings.HasPrefix(row, "#") {
			return false
		}
		comment = comment || row != ""
	}
	return comment
}

func isMarker(row string) bool {
	rest, ok := strings.CutPrefix(row, "---")
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\n"))
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
	return fmt.Errorf("%s", strings.TrimPrefix(text, "yaml: ")) //nolint:err113 // the text is all there is
}
