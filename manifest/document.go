package manifest

import (
	"bytes"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Parse reads the documents of a file or stream. The nodes keep their comments
// and have the lines of the whole file, so that messages can name them. Empty
// documents are left out.
//
// The error names the file; of a file that looks like a template, it is
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
			if node.YNode().Kind != yaml.MappingNode {
				return nil, fmt.Errorf("%s: the document that begins at line %d is not an object: expected a Kubernetes manifest", file, doc.line+1)
			}
			shift(node.YNode(), doc.line)
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
	return append(docs, document{text[start:], startLine})
}

func isMarker(row string) bool {
	rest, ok := strings.CutPrefix(row, "---")
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\n"))
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
