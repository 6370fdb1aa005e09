package kustomization

import (
	"cmp"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// fragmentIndex finds the fragments of a built item. A build can have a patch for each of
// thousands of objects.
type fragmentIndex struct {
	objects map[objectKey][]fragment // the objects in their files
	patches map[patchKey][]ranked
	targets map[string][]ranked // by the only name that a target matches; "" for a pattern
	images  []fragment          // the entries of images
	shown   map[string]string   // each file of a fragment as the user knows it
}

// ranked is a patch with its place in the order of precedence.
type ranked struct {
	fragment

	rank int
}

// objectKey identifies the objects of a file: those with a name, and all with the name "".
type objectKey struct{ file, group, kind, name string }

// patchKey identifies a patch in the form of an object.
type patchKey struct{ group, kind, name string }

// newFragmentIndex returns an index of the fragments of a build. The user knows the root of
// the build by another path.
func newFragmentIndex(path, root string, all []fragment) *fragmentIndex {
	out := &fragmentIndex{
		objects: map[objectKey][]fragment{}, patches: map[patchKey][]ranked{}, targets: map[string][]ranked{}, shown: map[string]string{},
	}
	for rank, x := range all {
		out.show(path, root, x.file)
		switch {
		case x.image != nil:
			out.images = append(out.images, x)
		case x.object:
			key := objectKey{out.shown[x.file], x.gvk.Group, x.gvk.Kind, x.names[0]}
			out.objects[key] = append(out.objects[key], x)
			if key.name != "" {
				key.name = ""
				out.objects[key] = append(out.objects[key], x)
			}
		case x.target != nil:
			out.targets[x.targetName] = append(out.targets[x.targetName], ranked{x, rank})
		case x.at == nil:
			key := patchKey{x.gvk.Group, x.gvk.Kind, x.names[0]}
			out.patches[key] = append(out.patches[key], ranked{x, rank})
		}
	}
	return out
}

func (x *fragmentIndex) show(path, root, file string) {
	if _, known := x.shown[file]; known {
		return
	}
	x.shown[file] = file
	if below, err := filepath.Rel(root, file); err == nil {
		x.shown[file] = filepath.ToSlash(filepath.Join(path, below))
	}
}

// relevant returns the fragments that can set fields of an item: the patches for it, in
// order of precedence, and then the object in its file.
func (x *fragmentIndex) relevant(item *yaml.RNode, file string) []fragment {
	gvk := resid.GvkFromNode(item)
	objects := x.objectsOf(objectKey{filepath.ToSlash(filepath.Clean(file)), gvk.Group, gvk.Kind, item.GetName()})
	names := []string{item.GetName()}
	for _, o := range objects {
		if !slices.Contains(names, o.names[0]) {
			names = append(names, o.names[0])
		}
	}
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

// matching returns the patches whose target matches a kind and one of the names.
func matching(all []ranked, gvk resid.Gvk, names []string) []ranked {
	return slices.DeleteFunc(slices.Clone(all), func(x ranked) bool {
		return !x.target.MatchGvk(gvk) || !slices.ContainsFunc(names, x.target.MatchName)
	})
}

// objectsOf returns the objects that an item can be. A prefix or a suffix changes the name:
// then it is the object with the longest name that the item's name contains.
func (x *fragmentIndex) objectsOf(key objectKey) []fragment {
	if key.name == "" {
		return x.objects[key]
	}
	name := key.name
	for length := len(name); length > 0; length-- {
		for from := 0; from+length <= len(name); from++ {
			key.name = name[from : from+length]
			if objects := x.objects[key]; len(objects) > 0 {
				return objects
			}
		}
	}
	key.name = "" // a patch, a replacement or a generator changes it
	return x.objects[key]
}
