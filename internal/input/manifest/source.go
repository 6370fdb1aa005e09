package manifest

import (
	"fmt"
	"maps"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/yamledit"
	"github.com/goldenarch/goldenarch/internal/yamlout"
)

// fileText is the text of a file as read.
type fileText struct {
	name, text string
	marked     bool // the file begins with a byte order mark, which text does not include
}

func newFileText(name string, data []byte) *fileText {
	text, marked := strings.CutPrefix(string(data), "\ufeff")
	return &fileText{name: name, text: text, marked: marked}
}

// source is the place of an item in its file.
type source struct {
	*fileText

	// The item is the text between from and to. The text between begin and from has
	// comments, markers and documents without an object. For the last item of a file, such
	// text may also follow, up to end.
	begin, from, to, end int
	// hash is the hash of the item as read.
	hash uint64
	// built says that kustomize has written the text. Then edited encodes a changed item.
	built bool
	// held is the place of the item, if the item is a part of the document.
	held *held
}

// source returns the place of the document that the reader has reached.
func (p *parsing) source(doc document) source {
	return source{fileText: p.fileText, begin: p.end, from: max(doc.from, p.end), to: doc.to, end: doc.to}
}

// keep keeps the text of an item.
func (t *Texts) keep(item *yaml.RNode, from *source) {
	if t.sources == nil {
		t.sources = map[*yaml.RNode]*source{}
	}
	from.hash = yamledit.Hash(item.Document())
	t.sources[item] = from
}

// AddBuilt adds the text that kustomize has written for an item.
func (t *Texts) AddBuilt(item *yaml.RNode, text []byte) {
	t.keep(item, &source{fileText: &fileText{text: string(text)}, to: len(text), end: len(text), built: true})
}

// Add adds all texts of another Texts.
func (t *Texts) Add(others Texts) {
	if t.sources == nil {
		t.sources = map[*yaml.RNode]*source{}
	}
	maps.Copy(t.sources, others.sources)
}

// body returns the text of the item without the text around it.
func (s *source) body() string { return s.text[s.from:s.to] }

// isChanged reports whether an item differs from the item as read.
func (s *source) isChanged(item *yaml.RNode) bool { return yamledit.Hash(item.Document()) != s.hash }

// edited returns the text of an item after its changes. The error says why goldenarch
// cannot edit the text.
func (s *source) edited(item *yaml.RNode) (string, error) {
	text, _, err := s.editedBy(item)
	return text, err
}

// editedBy also returns the edits of the text, nil if they are not known.
func (s *source) editedBy(item *yaml.RNode) (string, []yamledit.Splice, error) {
	if !s.isChanged(item) {
		return s.body(), nil, nil
	}
	item = item.Copy() // the code below may change and encode it
	clearElements(item)
	drain(item, internalAnnotations)
	if s.built {
		text, err := encodeBuilt(item)
		return text, nil, err
	}
	if s.held != nil {
		return s.held.into(s.body(), item)
	}
	text, done, err := yamledit.UpdateEdits([]byte(s.body()), item.Document())
	return string(text), done, err
}

// encodeBuilt returns the text of an item as kustomize writes it after a function returned
// it (kustomize api/resource/resource.go: AsYAML).
func encodeBuilt(item *yaml.RNode) (string, error) {
	yamlout.Safe(item.Document())
	data, err := item.MarshalJSON()
	if err != nil {
		return "", fmt.Errorf("encode the manifests: %w", err)
	}
	text, err := k8syaml.JSONToYAML(data)
	if err != nil {
		return "", fmt.Errorf("encode the manifests: %w", err)
	}
	return string(text), nil
}
