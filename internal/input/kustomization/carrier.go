package kustomization

import (
	"path/filepath"
	"regexp"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// objectSource is a file that contains a built object or a part of it: the object itself, or a
// patch in the form of the object (a strategic merge patch).
type objectSource struct {
	*sourceFile

	object *yaml.RNode
	// change is the operation of a JSON patch; nil for an object.
	change *change
	// target is the name of the object that a patch states as its target, "" if it states
	// none. Then the name in the patch does not count.
	target string
}

// sourceFile is a file of a kustomization, with its objects.
type sourceFile struct {
	path  string // absolute, without links
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

// sources finds the files of a kustomization.
type sources struct {
	files   map[string]*sourceFile
	visited map[string]bool
	kind    string
	group   string
	version string
}

// carriers returns the files with objects of the kind, in order of precedence: the patches
// of a directory from last to first, then its components, then its resources.
func (s *sources) carriers(dir string) []objectSource {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil || s.visited[dir] {
		return nil
	}
	s.visited[dir] = true
	file, k, ok := kustomizationOf(dir)
	if !ok {
		return nil
	}
	var out []objectSource
	for i, patch := range slices.Backward(k.PatchesJson6902) { //nolint:staticcheck // older kustomizations have them
		out = append(out, s.jsonIn(dir, patch, inlinePatch{dir, file, "patchesJson6902", i})...)
	}
	for i, patch := range slices.Backward(k.Patches) {
		out = append(out, s.jsonIn(dir, patch, inlinePatch{dir, file, "patches", i})...)
		some := append(s.in(dir, patch.Path), s.inlineIn(inlinePatch{dir, file, "patches", i}, patch.Patch)...)
		for j := range some {
			some[j].target = targetName(patch.Target)
		}
		out = append(out, some...)
	}
	for i, patch := range slices.Backward(k.PatchesStrategicMerge) { //nolint:staticcheck // older kustomizations have them
		out = append(out, s.in(dir, string(patch))...)
		if isInline(string(patch)) {
			out = append(out, s.inlineIn(inlinePatch{dir, file, "patchesStrategicMerge", i}, string(patch))...)
		}
	}
	for _, entry := range slices.Backward(slices.Concat(k.Resources, k.Bases, k.Components)) { //nolint:staticcheck // older kustomizations have bases
		if isRemote(entry) || isInline(entry) {
			continue
		}
		if path := filepath.Join(dir, entry); In(path) {
			out = append(out, s.carriers(path)...)
		} else {
			out = append(out, s.in(dir, entry)...)
		}
	}
	return out
}

// in returns the objects of the kind in a file.
func (s *sources) in(dir, entry string) []objectSource {
	if entry == "" || isInline(entry) || isRemote(entry) {
		return nil
	}
	path, err := filepath.EvalSymlinks(filepath.Join(dir, entry))
	if err != nil {
		return nil
	}
	if s.files[path] == nil {
		s.files[path] = readSource(path)
	}
	return s.ofKind(s.files[path])
}

// inlineIn returns the objects of the kind in a patch that a kustomization has as a text.
func (s *sources) inlineIn(at inlinePatch, text string) []objectSource {
	if text == "" {
		return nil
	}
	key := at.file + "\x00" + at.String()
	if s.files[key] == nil {
		s.files[key] = at.source(text)
	}
	return s.ofKind(s.files[key])
}

// ofKind returns the objects of the kind in a file.
func (s *sources) ofKind(file *sourceFile) []objectSource {
	var out []objectSource
	for _, item := range file.items {
		for _, one := range expanded(item) {
			if group, _, _ := cutVersion(one.GetApiVersion()); one.GetKind() == s.kind && group == s.group {
				out = append(out, objectSource{sourceFile: file, object: one})
			}
		}
	}
	return out
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
	if target == nil || regexp.QuoteMeta(target.Name) != target.Name {
		return ""
	}
	return target.Name
}

// readSource reads a file. It returns an empty one for a file that it cannot read or
// parse.
func readSource(path string) *sourceFile {
	file := &sourceFile{path: path}
	data, err := regular.Read(path)
	if err != nil {
		return file
	}
	reader := manifest.Reader{}
	if file.items, err = reader.Parse(path, data); err != nil {
		return &sourceFile{path: path}
	}
	file.texts = reader.Texts
	return file
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

// mapping says whether holder makes the mapping of a key.
type mapping int

const (
	existing mapping = iota
	made
)

// holder returns the mapping of a carrier that has, or can have, the last key of a path,
// and that key; nil if the carrier does not set the mapping.
func (c objectSource) holder(path []step, m mapping) (*yaml.Node, string) {
	var top *yaml.Node
	rest := path
	if c.change != nil {
		var covers bool
		if rest, covers = c.change.covers(path); !covers {
			return nil, ""
		}
		if len(rest) == 0 {
			return c.change.value, "value"
		}
		top = yamlnode.NonNull(yamlnode.Value(c.change.value, "value"))
	} else {
		top = c.object.YNode()
	}
	last := rest[len(rest)-1]
	if top == nil || last.element {
		return nil, ""
	}
	if m == made {
		return mappingAt(top, rest[:len(rest)-1]), last.key
	}
	if n := lookup(top, rest[:len(rest)-1]); n != nil && n.Kind == yaml.MappingNode {
		return n, last.key
	}
	return nil, ""
}
