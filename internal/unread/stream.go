package unread

import (
	"bytes"
	"errors"
	"io"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// InManifests returns what is in the documents of a YAML or JSON file. A document that is no YAML is taken
// for a template. Of a file that the run has read, the documents that are objects count for nothing.
func InManifests(data []byte, want Want, objectsRead bool) []Hit {
	s := search{want: want}
	s.stream(data, objectsRead)
	return s.hits
}

// stream looks at the documents that may hold something. Most do not, and to decode one takes a
// thousand times as long as to look for a word in it.
func (s *search) stream(data []byte, objectsRead bool) {
	if bytes.IndexByte(data, 0) >= 0 {
		data = Plain(data)
	}
	lines := 0
	for _, document := range documents(data) {
		if s.mayHold(document) {
			before := len(s.hits)
			s.document(document, objectsRead)
			for i := range s.hits[before:] {
				s.hits[before+i].Line += lines
			}
		}
		lines += bytes.Count(document, []byte("\n"))
	}
}

// mayHold reports whether a document may hold what somebody looks for.
func (s *search) mayHold(document []byte) bool {
	return MayHold(document) || s.want.Machines && bytes.Contains(document, []byte("kubevirt.io/v")) ||
		s.want.Pods && bytes.Contains(document, []byte("containers"))
}

// document looks at the text of one document, or of several that a reader of YAML takes for such.
func (s *search) document(data []byte, objectsRead bool) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		err := decoder.Decode(&doc)
		switch {
		case errors.Is(err, io.EOF):
			return
		case err == nil:
			err = bound.Node(&doc)
		}
		if err != nil {
			for _, hit := range InTemplate(data, s.want) {
				hit.Sample = hit.Sample || s.inText > 0 && IsScript(string(data))
				s.add(hit)
			}
			return
		}
		root := yamlnode.Root(&doc)
		if objectsRead && root != nil && text(root, "apiVersion") != "" && text(root, "kind") != "" {
			continue
		}
		s.visit(root, "", place{})
	}
}

// documents splits a stream at the lines that begin a document. Each keeps its marker.
func documents(data []byte) [][]byte {
	var out [][]byte
	from := 0
	for {
		at := bytes.Index(data[from:], []byte("\n---"))
		if at < 0 {
			return append(out, data[from:])
		}
		out, from = append(out, data[from:from+at+1]), from+at+1
	}
}
