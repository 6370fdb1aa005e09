package edit

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// fragmentIndex finds the fragments of a built item. A build can have a patch for each of
// thousands of objects.
type fragmentIndex struct {
	objects map[objectKey][]fragment // the objects in their files
	patches map[patchKey][]ranked
	targets map[string][]ranked // by the only name that a target matches; "" for a pattern
	images  []fragment          // the entries of images
	shown   map[string]string   // each file of a fragment as the user knows it
	// sure says that nothing else sets fields: no kustomization of the build has a transformer or a replacement.
	sure bool
}

// ranked is a patch with its place in the order of precedence.
type ranked struct {
	fragment

	rank int
}

// objectKey identifies the objects of a file: those with a name, and all with the name "".
type objectKey struct{ file, group, kind, name string }

// anyFile is in the key of the objects with a name in all files.
const anyFile = ""

// patchKey identifies a patch in the form of an object.
type patchKey struct{ group, kind, name string }

// newFragmentIndex returns an index of the fragments of a build. The user knows the root of
// the build by another path.
func newFragmentIndex(path, root string, all []fragment) *fragmentIndex {
	out := &fragmentIndex{
		objects: map[objectKey][]fragment{}, patches: map[patchKey][]ranked{}, targets: map[string][]ranked{}, shown: map[string]string{},
	}
	for rank, x := range all {
		if _, known := out.shown[x.path]; !known {
			out.shown[x.path] = filepath.ToSlash(files.Named(path, root, x.path))
		}
		switch {
		case x.image != nil:
			out.images = append(out.images, x)
		case x.object:
			key := objectKey{out.shown[x.path], x.gvk.Group, x.gvk.Kind, x.name}
			out.objects[key] = append(out.objects[key], x)
			elsewhere := objectKey{anyFile, key.group, key.kind, key.name}
			out.objects[elsewhere] = append(out.objects[elsewhere], x)
			if key.name != "" {
				key.name = ""
				out.objects[key] = append(out.objects[key], x)
			}
		case x.target != nil:
			out.targets[x.targetName] = append(out.targets[x.targetName], ranked{x, rank})
		case x.operation == nil:
			key := patchKey{x.gvk.Group, x.gvk.Kind, x.name}
			out.patches[key] = append(out.patches[key], ranked{x, rank})
		}
	}
	return out
}

// relevant returns the fragments that can set fields of an item: the patches for it, in
// order of precedence, and then the object in its file.
func (x *fragmentIndex) relevant(item *yaml.RNode, file string) []fragment {
	gvk := resid.GvkFromNode(item)
	objects := x.objectsOf(item, file)
	names := namesBetween(item.GetName(), objects)
	var found []ranked
	for _, name := range names {
		found = append(found, x.patches[patchKey{gvk.Group, gvk.Kind, name}]...)
		if name != "" {
			found = append(found, matching(x.targets[name], gvk, names)...)
		}
	}
	found = append(found, matching(x.targets[""], gvk, names)...)
	slices.SortFunc(found, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	out := make([]fragment, 0, len(found)+len(objects))
	for _, one := range found {
		out = append(out, one.fragment)
	}
	return append(out, objects...)
}

// maxAffixes is how long prefixes and suffixes of a name may be together, for
// [namesBetween] to know the names on the way.
const maxAffixes = 64

// namesBetween returns the names that an object can have on its way from its file to the
// build: each directory can add a prefix and a suffix.
func namesBetween(built string, objects []fragment) []string {
	names, known := []string{built}, map[string]bool{built: true}
	add := func(name string) {
		if !known[name] {
			names, known[name] = append(names, name), true
		}
	}
	for _, o := range objects {
		add(o.name)
		at := strings.Index(built, o.name)
		if at < 0 || o.name == "" || len(built)-len(o.name) > maxAffixes {
			continue
		}
		for from := 0; from <= at; from++ {
			for to := at + len(o.name); to <= len(built); to++ {
				add(built[from:to])
			}
		}
	}
	return names
}

// matching returns the patches whose target matches a kind and one of the names.
func matching(all []ranked, gvk resid.Gvk, names []string) []ranked {
	return slices.DeleteFunc(slices.Clone(all), func(x ranked) bool {
		return !x.target.MatchGvk(gvk) || !slices.ContainsFunc(names, x.target.MatchName)
	})
}

// objectsOf returns the objects that an item can be. A prefix or a suffix changes the name:
// then it is the object with the longest name that the item's name contains. A patch, a
// replacement or a generator can change it, too.
func (x *fragmentIndex) objectsOf(item *yaml.RNode, file string) []fragment {
	gvk := resid.GvkFromNode(item)
	key := objectKey{file: filepath.ToSlash(filepath.Clean(file)), group: gvk.Group, kind: gvk.Kind}
	if named := x.named(key, item.GetName()); len(named) > 0 {
		return named
	}
	if inFile := x.objects[key]; len(inFile) > 0 {
		return inFile
	}
	key.file = anyFile
	return x.named(key, item.GetName())
}

// named returns the objects with the longest name that a name contains.
func (x *fragmentIndex) named(key objectKey, name string) []fragment {
	for key.name = range kustomize.PartsOf(name) {
		if objects := x.objects[key]; len(objects) > 0 {
			return objects
		}
	}
	return nil
}

// sourceOf returns an object as it is in its file, or itself if no file has it.
func (x *fragmentIndex) sourceOf(item *yaml.RNode) *yaml.RNode {
	file, _ := object.Place(item)
	out := item
	for _, o := range x.objectsOf(item, file) {
		if !strings.Contains(item.GetName(), o.name) {
			continue
		}
		source := yaml.NewRNode(o.node)
		if out == item || kustomize.IDOf(source).Namespace == item.GetNamespace() {
			out = source
		}
	}
	return out
}

// imageEntry returns the entry of images that sets a field.
func (x *fragmentIndex) imageEntry(built *yaml.Node, field string) (fragment, bool) {
	_, values := stepsTo(built, field)
	value := values[len(values)-1]
	at := slices.IndexFunc(x.images, func(entry fragment) bool { return value.Kind == yaml.ScalarNode && entry.sets(value.Value) })
	if at < 0 {
		return fragment{}, false
	}
	return x.images[at], true
}
