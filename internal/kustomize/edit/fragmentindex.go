package edit

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// fragments are those of a build.
type fragments struct {
	path, root string                   // the directory, as the user knows it and without links
	patches    []fragment               // in order of precedence
	images     []imageEntry             // likewise
	objects    map[resid.Gvk][]fragment // in their files, by group and kind
	// sure says that nothing else sets fields: no kustomization of the build has a transformer or a replacement.
	sure bool
}

// imageEntry is an entry of images, which sets names, tags and digests.
type imageEntry struct {
	types.Image

	path string // of the kustomization
	line int
}

// sets reports whether an entry can set a reference.
func (e imageEntry) sets(reference string) bool {
	rest, ok := strings.CutPrefix(reference, cmp.Or(e.NewName, e.Name))
	return ok && (rest == "" || rest[0] == ':' || rest[0] == '@')
}

// fragmentsOf returns the fragments of a build. Those of a session that others use may
// only be read.
func fragmentsOf(s *Session, path, root string) *fragments {
	out := &fragments{path: path, root: root, objects: map[resid.Gvk][]fragment{}, sure: true}
	c := collector{fragments: out, session: s, root: root, visited: map[string]bool{}, files: map[string]*sourceFile{}}
	c.add(root)
	return out
}

// shown returns the name of a file as the user knows it.
func (x *fragments) shown(file string) string {
	return filepath.ToSlash(files.Named(x.path, x.root, file))
}

func kindOf(gvk resid.Gvk) resid.Gvk { return resid.Gvk{Group: gvk.Group, Kind: gvk.Kind} }

// relevant returns the fragments that can set fields of an item: the patches for it, in
// order of precedence, and then the object in its file.
func (x *fragments) relevant(item *yaml.RNode) []fragment {
	gvk, name, objects := resid.GvkFromNode(item), item.GetName(), x.objectsOf(item)
	var out []fragment
	for _, patch := range x.patches {
		isFor := func(o fragment) bool { return patch.mayBeFor(gvk, name, o.id.Name) }
		if patch.mayBeFor(gvk, name, name) || slices.ContainsFunc(objects, isFor) {
			out = append(out, patch)
		}
	}
	return append(out, objects...)
}

// longName is longer than any name.
const longName = 1 << 10

// objectsOf returns the objects that an item can be. A prefix or a suffix changes the name:
// then it is the object with the longest name that the item's name contains, in its namespace if
// there are several. A patch, a replacement or a generator can change the name, too: then it is any of
// the kind in its file.
func (x *fragments) objectsOf(item *yaml.RNode) []fragment {
	file, _ := object.Place(item)
	file = filepath.ToSlash(filepath.Clean(file))
	name, namespace := item.GetName(), item.GetNamespace()
	var out []fragment
	best := 2
	for _, o := range x.objects[kindOf(resid.GvkFromNode(item))] {
		fits := 0
		if strings.Contains(name, o.id.Name) {
			fits = 2 * len(o.id.Name)
		}
		if o.object == file {
			fits += 2 * longName
		}
		if o.id.Namespace == namespace {
			fits++
		}
		if fits > best {
			best, out = fits, nil
		}
		if fits == best {
			out = append(out, o)
		}
	}
	return out
}

// idInFile returns the id of an object as it is in its file, or as it is built if no file has it.
func (x *fragments) idInFile(item *yaml.RNode) resid.ResId {
	for _, o := range x.objectsOf(item) {
		if strings.Contains(item.GetName(), o.id.Name) {
			return o.id
		}
	}
	return kustomize.IDOf(item)
}
