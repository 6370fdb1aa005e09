package kustomization

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/provenance"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// built is a resource with the file it came from.
type built struct {
	*resource.Resource

	file string
}

const (
	transformations = "alpha.config.kubernetes.io/transformations"
	// kustomizeRelease is the kustomize release that contains the version of the library
	// in go.mod. The library does not know that release. It writes "(devel)", or
	// goldenarch's version, into the label that buildMetadata: [managedByLabel] asks for.
	kustomizeRelease = "v5.8.2"
)

// traced returns resources with the files they came from. It removes the annotations that
// kustomize adds only because goldenarch needs them. Where another build has noted the
// origins, known has them by id.
func (b *build) traced(all resmap.ResMap, known map[string]*resource.Origin) ([]built, error) {
	var out []built
	root := cmp.Or(b.root, b.given)
	files := map[string]string{"": filepath.ToSlash(b.given)} // by their origins
	for _, r := range all.Resources() {
		origin, err := r.GetOrigin()
		if err != nil {
			return nil, fmt.Errorf("read the origin of %s: %w", r.CurId(), err)
		}
		if known != nil {
			origin = known[r.CurId().String()]
		}
		if step, is := b.generatedBy(origin); is {
			if origin, err = step.origin(); err == nil {
				err = r.SetOrigin(origin)
			}
			if err != nil {
				return nil, fmt.Errorf("note the origin of %s: %w", r.CurId(), err)
			}
		}
		if err := untrace(r); err != nil {
			return nil, fmt.Errorf("clean %s: %w", r.CurId(), err)
		}
		from := ""
		if origin != nil && origin.Repo == "" {
			from = origin.Path + origin.ConfiguredIn // only one of them is set
		}
		if _, known := files[from]; !known {
			files[from] = filepath.ToSlash(pathname.Named(b.given, root, filepath.Join(root, from)))
		}
		out = append(out, built{Resource: r, file: files[from]})
	}
	if b.tracked {
		return out, nil
	}
	return out, all.RemoveOriginAnnotations()
}

func untrace(r *resource.Resource) error {
	labels := r.GetLabels()
	if labels[konfig.ManagedbyLabelKey] == "kustomize-"+provenance.GetProvenance().Semver() {
		labels[konfig.ManagedbyLabelKey] = "kustomize-" + kustomizeRelease
		if err := r.SetLabels(labels); err != nil {
			return err
		}
	}
	steps, err := r.GetTransformations()
	if err != nil || steps == nil {
		return err
	}
	steps = slices.DeleteFunc(steps, func(step *resource.Origin) bool { return step.ConfiguredBy.Name == keepLocalName })
	if len(steps) == 0 {
		return r.ClearTransformations()
	}
	text, err := steps.String()
	if err != nil {
		return err
	}
	annotations := r.GetAnnotations()
	annotations[transformations] = text
	return r.SetAnnotations(annotations)
}

// originsFrom says which build of a directory notes the origin of each object.
//
// kustomize notes it in an annotation. Then it also notes each transformer in another
// annotation of each object, which it decodes and encodes each time (kustomize api
// resmap/reswrangler.go: AddTransformerAnnotation). Each patch is a transformer, so the
// time grows with the square of the patches.
type originsFrom int

const (
	fromBuild originsFrom = iota // from this build
	fromOther                    // from another build: this one notes none
	fromBare                     // from this build, which has no patches
)

// fewPatches is the number of patches up to which one build is faster than two.
const fewPatches = 20

// patchesIn returns how many patches a kustomization has.
func patchesIn(k types.Kustomization) int {
	return len(k.Patches) + len(k.PatchesStrategicMerge) + len(k.PatchesJson6902) //nolint:staticcheck // older kustomizations have them
}

// bare returns a kustomization without what changes objects and is not their names.
func bare(k types.Kustomization) types.Kustomization {
	k.Patches, k.PatchesStrategicMerge, k.PatchesJson6902 = nil, nil, nil                         //nolint:staticcheck // as above
	k.Replacements, k.Vars = nil, nil                                                             //nolint:staticcheck // they may read what a patch sets
	k.Images, k.Replicas, k.Labels, k.CommonLabels, k.CommonAnnotations = nil, nil, nil, nil, nil //nolint:staticcheck // as above
	return k
}

// otherOrigins returns the origin of each object by its id, from a build without patches, or
// nil if this build notes them. Then exact says that this build must not note them, because
// it would differ.
func (b *build) otherOrigins() (known map[string]*resource.Origin, exact bool) {
	k, ok := b.load(b.root)
	if !ok || b.ofList || slices.Contains(k.BuildMetadata, types.OriginAnnotations) {
		return nil, false
	}
	patches := 0
	for _, l := range b.layer(b.root, nil).all(nil) {
		patches += l.patches
		exact = exact || l.seesOrigins
	}
	if exact || patches > fewPatches && len(k.BuildMetadata) == 0 {
		known = b.originsOf(fromBare)
	}
	if exact && known == nil {
		known = map[string]*resource.Origin{}
	}
	return known, exact
}

// originsOf builds the directory only for its origins. It returns nil if that build fails,
// or is bare and has a generator of goldenarch.
func (b *build) originsOf(from originsFrom) map[string]*resource.Origin {
	other, err := newBuild(b.notes, b.given)
	if err != nil {
		return nil
	}
	defer b.notes.library.forget()() // the build itself says it again
	defer b.notes.countAnew()()
	other.origins = from
	resources, err := other.kustomize()
	if err != nil || from == fromBare && len(other.generators)+len(b.notes.missing) > 0 {
		return nil
	}
	out := map[string]*resource.Origin{}
	for _, r := range resources.Resources() {
		if origin, err := r.GetOrigin(); err == nil && origin != nil {
			out[r.CurId().String()] = origin
		}
	}
	return out
}

// seesOrigins reports whether a kustomization may build otherwise where each object has the
// annotation with its origin. An older JSON patch fails on an object without annotations. A
// copy of all annotations has the origin, too.
func (b *build) seesOrigins(dir string, k types.Kustomization) bool {
	if bytes.Contains(b.read(dir), []byte(origin)) || copySees(b.replacements(dir, k.Replacements)) {
		return true
	}
	sees := func(patch types.Patch, older bool) bool {
		text := []byte(patch.Patch)
		if patch.Path != "" {
			text = b.read(filepath.Join(dir, patch.Path))
		}
		return patchSees(text, older)
	}
	return slices.ContainsFunc(k.Patches, func(p types.Patch) bool { return sees(p, false) }) ||
		slices.ContainsFunc(k.PatchesJson6902, func(p types.Patch) bool { return sees(p, true) }) //nolint:staticcheck // older kustomizations have them
}

// patchSees reports whether a patch may see the annotations of an object as a whole. Only
// a JSON patch does, and only of the older form it fails where there are none.
func patchSees(text []byte, older bool) bool {
	has := func(word string) bool { return bytes.Contains(text, []byte(word)) }
	return has(origin) || has("/metadata") && (has("from") || has("test") || older)
}

// copySees reports whether replacements copy all annotations.
func copySees(all []types.Replacement) bool {
	return slices.ContainsFunc(all, func(r types.Replacement) bool {
		return r.Source != nil && (r.Source.FieldPath == "metadata" || r.Source.FieldPath == "metadata.annotations")
	})
}

// haveAll reports whether there is an origin of each object.
func haveAll(origins map[string]*resource.Origin, all resmap.ResMap) bool {
	renamed := func(r *resource.Resource) bool { return origins[r.CurId().String()] == nil } // by a patch
	return !slices.ContainsFunc(all.Resources(), renamed)
}

// kustomize's own note of the origin of an object costs it a seventh of a build: see
// [originsFrom]. Where a build has files and plain changes only, goldenarch marks each object in
// the text that kustomize reads with a field that no kind has, and takes it out of the result.
// kustomize keeps a field that it does not know. An object that has lost its mark, a mark in
// another place, and each error of the library leave the directory to a build with notes. Unlike
// that, a build with marks leaves the annotations alone, as kustomize does.

// marking are the fields of a kustomization that a build with marks may have: they add objects
// from files only.
var marking = []string{
	"apiVersion", "kind", "metadata", "resources", "bases", "components", "namespace", "namePrefix", "nameSuffix", "labels",
	"commonLabels", "commonAnnotations", "images", "replicas", "patches", "patchesStrategicMerge", "patchesJson6902", "sortOptions",
	"transformers", "validators",
}

// marks are the texts of a build with marks.
type marks struct {
	field string            // the mark, of which no file knows; its value is the number of the file
	files []string          // by their numbers, as the user knows them
	texts map[string][]byte // by the paths of the files, absolute and without links
}

// newMarks marks the files of a build. It returns false for a build that cannot have marks.
func (b *build) newMarks() (*marks, bool) {
	out := &marks{field: "goldenarch.dev/" + rand.Text(), texts: map[string][]byte{}}
	layers := b.layer(b.root, nil).all(nil)
	if len(layers) == 0 || b.ofList {
		return nil, false
	}
	for _, l := range layers {
		if !l.marking || b.runsListed(l) {
			return nil, false
		}
		for _, path := range l.resources {
			if out.texts[path] != nil {
				continue
			}
			data, err := b.FileSystem.ReadFile(path)
			if err != nil || !out.add(path, string(data)) {
				return nil, false
			}
			out.files = append(out.files, b.shown(path))
		}
	}
	for _, l := range layers {
		for _, path := range slices.Concat(l.patchFiles, []string{l.files[0].path}) {
			// kustomize would read the mark as a part of the patch.
			if text := b.read(path); out.texts[path] != nil || seesAll(text) || bytes.Contains(text, []byte(localName)) {
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

// hashNames are in the names of the annotations of an object whose name gets a hash of all its
// fields (kustomize api/resource: NeedHashSuffix, api/internal/utils/annotations.go).
var hashNames = []string{"needs-hash", "needsHashSuffix"}

// seesAll reports whether a text may make kustomize look at all fields of an object.
func seesAll(text []byte) bool {
	return !isSpelledOut(text) || slices.ContainsFunc(hashNames, func(name string) bool { return bytes.Contains(text, []byte(name)) })
}

// add adds the text of the next file, with the mark in each of its documents. It returns false for
// a text of another form than that of most, and with objects in a List.
func (m *marks) add(path, text string) bool {
	if seesAll([]byte(text)) || strings.Contains(text, "List") ||
		strings.Count(text, localName) != len(localText().FindAllString(text, -1)) {
		return false
	}
	documents, ok := documentsOf(text)
	for i, document := range documents {
		at := firstKey(document)
		if at < 0 {
			return false
		}
		documents[i] = document[:at] + m.field + ": " + strconv.Itoa(len(m.files)) + "\n" + document[at:]
	}
	m.texts[path] = []byte(strings.Join(documents, separator))
	return ok && len(documents) > 0
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
	return list, err == nil && !slices.ContainsFunc(list, func(o Object) bool { return bytes.Contains(o.Text, []byte(all.field)) })
}

// take takes the mark out of an object, and returns the file that it names.
func (m *marks) take(object *yaml.Node) (file string, ok bool) {
	number, err := strconv.Atoi(yamlnode.Text(object, m.field))
	if err != nil || number < 0 || number >= len(m.files) {
		return "", false
	}
	yamlnode.Remove(object, m.field)
	return m.files[number], true
}
