package kustomization

import (
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/regular"
)

// carrier is a file that contains a built object or a part of it: the object itself, or a
// patch in the form of the object (a strategic merge patch).
type carrier struct {
	*sourceFile

	object *yaml.RNode
}

// sourceFile is a file of a kustomization, with its objects.
type sourceFile struct {
	path  string // absolute, without links
	texts manifest.Texts
	items []*yaml.RNode
}

// sources finds the files of a kustomization.
type sources struct {
	files   map[string]*sourceFile
	visited map[string]bool
	kind    string
	group   string
}

// carriers returns the files with objects of the kind, in order of precedence: the patches
// of a directory from last to first, then its components, then its resources.
func (s *sources) carriers(dir string) []carrier {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil || s.visited[dir] {
		return nil
	}
	s.visited[dir] = true
	_, k, ok := kustomizationOf(dir)
	if !ok {
		return nil
	}
	var out []carrier
	for _, patch := range slices.Backward(k.Patches) {
		out = append(out, s.in(dir, patch.Path)...)
	}
	for _, patch := range slices.Backward(k.PatchesStrategicMerge) { //nolint:staticcheck // older kustomizations have them
		out = append(out, s.in(dir, string(patch))...)
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
func (s *sources) in(dir, entry string) []carrier {
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
	var out []carrier
	for _, item := range s.files[path].items {
		if group, _, _ := cutVersion(item.GetApiVersion()); item.GetKind() == s.kind && group == s.group {
			out = append(out, carrier{s.files[path], item})
		}
	}
	return out
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
