package unread

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/template"
	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
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
		if (MayHold(document) || s.want.MayHold(document)) && !(objectsRead && hasHead(document)) {
			before := len(s.hits)
			s.document(document, objectsRead)
			for i := range s.hits[before:] {
				s.hits[before+i].Line += lines
			}
		}
		lines += bytes.Count(document, []byte("\n"))
	}
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
			err = yamlnode.CheckSize(&doc)
		}
		root := yamlnode.Root(&doc)
		if err != nil || root != nil && (root.Kind == yaml.ScalarNode || template.HasObjectKey(root)) {
			for _, hit := range InTemplate(data, s.want) {
				hit.Sample = hit.Sample || s.inText > 0 && IsScript(string(data))
				s.add(hit)
			}
			return
		}
		if objectsRead && root != nil && text(root, "apiVersion") != "" && text(root, "kind") != "" { // [InObject] looks into it
			continue
		}
		s.visit(root, "", surroundings{})
	}
}

// headLines matches the two fields that make a document an object.
var headLines = []func() *regexp.Regexp{pattern.Of(`(?m)^apiVersion[ \t]*:[ \t]*[^ \t\r\n#]`), pattern.Of(`(?m)^kind[ \t]*:[ \t]*[^ \t\r\n#]`)}

// hasHead reports whether the text of a document shows that it is an object. Most are, and need not be decoded.
func hasHead(document []byte) bool {
	return !slices.ContainsFunc(headLines, func(line func() *regexp.Regexp) bool { return !line().Match(document) }) && !template.HasAction(string(document))
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
