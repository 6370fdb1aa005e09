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

// fileText is a file as it was read.
type fileText struct {
	name, text string
	marked     bool // it begins with a byte order mark, which the text is without
}

func newFileText(name string, data []byte) *fileText {
	text, marked := strings.CutPrefix(string(data), "\ufeff")
	return &fileText{name: name, text: text, marked: marked}
}

// source is where an item was read.
type source struct {
	*fileText

	// The item is what is between from and to. Comments, markers and documents
	// without an object are before it, from begin on, and behind the last item of the
	// file, as far as end.
	begin, from, to, end int
	// hash is that of the item as it was read.
	hash uint64
	// built says that kustomize has written the text, and encodes what changes in it.
	built bool
}

// source returns where a document is, which the reader has come to.
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

// AddBuilt keeps the text that kustomize has written of an item.
func (t *Texts) AddBuilt(item *yaml.RNode, text []byte) {
	t.keep(item, &source{fileText: &fileText{text: string(text)}, to: len(text), end: len(text), built: true})
}

// Add adds the texts of others.
func (t *Texts) Add(others Texts) {
	if t.sources == nil {
		t.sources = map[*yaml.RNode]*source{}
	}
	maps.Copy(t.sources, others.sources)
}

// body returns the text of the item alone.
func (s *source) body() string { return s.text[s.from:s.to] }

// isChanged reports whether an item is not the one that was read.
func (s *source) isChanged(item *yaml.RNode) bool { return yamledit.Hash(item.Document()) != s.hash }

// edited returns the text of an item after its changes. The error says why its text
// cannot be edited.
func (s *source) edited(item *yaml.RNode) (string, error) {
	if !s.isChanged(item) {
		return s.body(), nil
	}
	item = item.Copy() // it may have to be encoded
	clearElements(item)
	drain(item, internalAnnotations)
	if s.built {
		return encodeBuilt(item)
	}
	text, err := yamledit.Edit([]byte(s.body()), item.Document())
	return string(text), err
}

// encodeBuilt returns the text of an item as kustomize writes it when a function has
// returned it (kustomize api/resource/resource.go: AsYAML).
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
