package kustomization

import (
	"path/filepath"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
)

// sourceFile is a file of a kustomization with its objects, or a patch that the
// kustomization has as a text.
type sourceFile struct {
	path  string                 // absolute, without links
	line  func(n *yaml.Node) int // of a node in the file
	texts manifest.Texts
	items []*yaml.RNode
	// inline is the place of a patch in the kustomization at the path; nil for a file.
	inline *inlinePatch
	// json are the operations of a JSON patch, and data their text; nil for objects.
	json *yaml.Node
	data []byte
}

// sharedWith returns the file or directory whose users share the objects.
func (f *sourceFile) sharedWith() string {
	if f.inline != nil {
		return f.inline.dir
	}
	return f.path
}

// expanded returns the objects of a List, as kustomize does, and any other object itself
// (kustomize api/resource/factory.go: inlineAnyEmbeddedLists).
func expanded(item *yaml.RNode) []*yaml.RNode {
	list := object.ListItems(item.YNode())
	if _, is := object.ElementKind(item.GetKind()); !is || list == nil {
		return []*yaml.RNode{item}
	}
	var out []*yaml.RNode
	for _, element := range list.Content {
		if element.Kind == yaml.MappingNode { // not an alias, which shares the value
			out = append(out, yaml.NewRNode(element))
		}
	}
	return out
}

// targetName returns the name that the target of a patch states, "" if it states none or a
// pattern.
func targetName(target *types.Selector) string {
	if target == nil {
		return ""
	}
	name := strings.ReplaceAll(target.Name, `\`, "")
	if regexp.QuoteMeta(name) != target.Name {
		return ""
	}
	return name
}

// newSource reads a text. One that is neither objects nor a JSON patch has nothing. Errors
// and annotations have the name.
func newSource(path, name string, text []byte) *sourceFile {
	file := &sourceFile{path: path, line: ownLine}
	reader := manifest.Reader{}
	if items, err := reader.Parse(name, text); err == nil {
		file.items, file.texts = items, reader.Texts
	} else if list := yamlNode(text); list != nil && list.Kind == yaml.SequenceNode {
		file.json, file.data = list, text
	}
	return file
}

// objects returns the objects of a file, including the elements of a List.
func (f *sourceFile) objects() []*yaml.RNode {
	var out []*yaml.RNode
	for _, item := range f.items {
		out = append(out, expanded(item)...)
	}
	return out
}

// kustomizationFile returns the file of a directory's kustomization, or "" unless the
// directory has exactly one.
func kustomizationFile(dir string) string {
	out := ""
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		path, err := filepath.EvalSymlinks(filepath.Join(dir, name))
		switch {
		case err != nil:
		case out != "":
			return ""
		default:
			out = path
		}
	}
	return out
}
