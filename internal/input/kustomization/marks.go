package kustomization

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// kustomize's own note of the origin of an object costs it a seventh of a build: see
// [originsFrom]. Where a build has files and plain changes only, goldenarch marks each object in
// the text that kustomize reads with a field that no kind has, and takes it out of the result.
// kustomize keeps a field that it does not know. An object that has lost its mark, a mark in
// another place, and any error leave the directory to a build with annotations.

// mark is the field. Its value is the number of the file.
const mark = "goldenarch.dev/origin"

// marking are the fields of a kustomization that a build with marks may have: they add objects
// from files only, and no other object or value depends on all fields of an object.
var marking = []string{
	"apiVersion", "kind", "metadata", "resources", "bases", "components", "namespace", "namePrefix", "nameSuffix", "labels",
	"commonLabels", "commonAnnotations", "images", "replicas", "patches", "patchesStrategicMerge", "patchesJson6902", "sortOptions",
	"transformers", "validators",
}

// marks are the texts of a build with marks.
type marks struct {
	files []string          // by their numbers, as the user knows them
	texts map[string][]byte // by the paths of the files, absolute and without links
}

// newMarks marks the files of a build. It returns false for a build that cannot have marks.
func (b *build) newMarks() (*marks, bool) {
	out := &marks{texts: map[string][]byte{}}
	layers := b.layer(b.root, nil).all(nil)
	if len(layers) == 0 || b.ofList {
		return nil, false
	}
	for _, l := range layers {
		last, is := b.kept[l.files[0].path]
		if !l.marking || l.lists && (!is || len(last.transformers)+len(last.validators) > 0) {
			return nil, false
		}
		for _, path := range l.resources {
			if _, has := b.notes.instead[path]; b.portion && !has || out.texts[path] != nil {
				continue
			}
			data, err := b.FileSystem.ReadFile(path)
			if err != nil {
				return nil, false
			}
			text, ok := marked(string(data), len(out.files))
			if !ok {
				return nil, false
			}
			out.texts[path] = []byte(text)
			out.files = append(out.files, filepath.ToSlash(pathname.Named(b.given, b.root, path)))
		}
	}
	for _, l := range layers {
		for _, path := range append(l.patchFiles, l.files[0].path) {
			// kustomize would read the mark as a part of the patch.
			if out.texts[path] != nil || bytes.Contains(b.read(path), []byte(localName)) {
				return nil, false
			}
		}
	}
	return out, true
}

// localName is in the name of the annotation for local configuration. kustomize's notes turn its
// value into a text. Without them, keepLocalTransformer cannot replace null.
const localName = "local-config"

// localText matches the annotation with the usual values.
var localText = pattern.Of(localName + `["']?: *["']?(true|false)\b`)

// marked returns a text with the mark in each of its documents. It returns false for a text of
// another form than that of most, with objects in a List, or with a name that has a hash of the
// object.
func marked(text string, number int) (string, bool) {
	for _, unusual := range []string{"List", "needs-hash", mark} {
		if strings.Contains(text, unusual) {
			return "", false
		}
	}
	if n := strings.Count(text, localName); n > 0 && n != len(localText().FindAllString(text, -1)) {
		return "", false
	}
	documents, ok := documentsOf(text)
	for i, document := range documents {
		at := firstKey(document)
		if at < 0 {
			return "", false
		}
		documents[i] = document[:at] + mark + ": " + strconv.Itoa(number) + "\n" + document[at:]
	}
	return strings.Join(documents, "\n---\n"), ok && len(documents) > 0
}

// firstKey returns where the first key of a document is, -1 unless it is a plain word at the
// beginning of a line.
func firstKey(document string) int {
	at := 0
	for line := range strings.Lines(document) {
		if isBlank(line) {
			at += len(line)
			continue
		}
		word, rest, found := strings.Cut(line, ":")
		isLetter := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
		if !found || word == "" || strings.TrimFunc(word, isLetter) != "" || rest != "" && !strings.ContainsAny(rest[:1], " \n") {
			return -1
		}
		return at
	}
	return -1
}

// runMarked builds the directory with marks. It returns false if only a build with kustomize's
// notes gives the result, or the error.
func (b *build) runMarked() (list []Object, ok bool) {
	all, ok := b.newMarks()
	if !ok {
		return nil, false
	}
	forget := b.notes.library.forget()
	b.marks = all
	defer func() {
		b.marks = nil
		if !ok { // the other build does all of it again
			b.met = map[string]bool{}
			b.notes.countAnew()
			forget()
		}
	}()
	resources, err := b.kustomize()
	if err != nil || b.refused != nil || b.notes.refused != nil || b.notes.library.refusedOf(nil) {
		return nil, false
	}
	var marked []built
	for _, r := range resources.Resources() {
		file, is := all.take(r.YNode())
		if !is {
			return nil, false
		}
		marked = append(marked, built{Resource: r, file: file})
	}
	list, err = objects(marked)
	return list, err == nil && !slices.ContainsFunc(list, func(o Object) bool { return bytes.Contains(o.Text, []byte(mark)) })
}

// take takes the mark out of an object, and returns the file that it names.
func (m *marks) take(object *yaml.Node) (file string, ok bool) {
	for i := 0; i+1 < len(object.Content); i += 2 {
		if object.Content[i].Value != mark {
			continue
		}
		number, err := strconv.Atoi(object.Content[i+1].Value)
		if err != nil || number < 0 || number >= len(m.files) {
			return "", false
		}
		object.Content = slices.Delete(object.Content, i, i+2)
		return m.files[number], true
	}
	return "", false
}
