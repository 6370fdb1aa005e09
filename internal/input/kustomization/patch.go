package kustomization

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/yamledit"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

const (
	// patchFile is the name of the file with the patch that goldenarch writes. There is
	// one patch for each object.
	patchFile = "goldenarch-patch.yaml"
	// patchHead is the first line of the patch.
	patchHead = "# goldenarch fix --patch writes this file. It does not keep edits made by hand.\n"
)

// errOthers is the error for a file of another author with the name of our patch.
var errOthers = errors.New("goldenarch did not write the file, and does not replace it: rename it")

// errTwoPatched is the error for a build with several objects to patch.
var errTwoPatched = errors.New("two objects of the build must change, and a patch is for one: use overlays for each")

// HasPatch reports whether the kustomization of a directory lists the patch that
// goldenarch writes.
func HasPatch(dir string) bool {
	_, k, ok := kustomizationOf(dir)
	return ok && slices.ContainsFunc(k.Patches, func(p types.Patch) bool { return filepath.Clean(p.Path) == patchFile })
}

// BuildWithoutPatch builds a directory as if its kustomization did not list the patch
// that goldenarch writes.
func BuildWithoutPatch(dir string) (Built, error) {
	root, err := realDir(dir)
	if err != nil {
		return Built{}, err
	}
	path := kustomizationFile(root)
	text, err := withoutPatch(path)
	if err != nil {
		return Built{}, err
	}
	return BuildWith(dir, map[string][]byte{path: text})
}

// PatchEdits returns the files of a patch that turns the built items into the edited ones:
// the patch, and the kustomization that lists it. The items are those of
// [BuildWithoutPatch].
func (b Built) PatchEdits() ([]manifest.FileEdit, error) {
	changes, err := b.changes()
	if err != nil {
		return nil, err
	}
	dir, err := realDir(b.Path)
	if err != nil {
		return nil, err
	}
	list := manifest.FileEdit{Name: kustomizationFile(dir)}
	patch := manifest.FileEdit{Name: filepath.Join(dir, patchFile)}
	list.Before, patch.Before = readText(list.Name), readText(patch.Name)
	if patch.Before != nil && !bytes.HasPrefix(patch.Before, []byte(patchHead)) {
		return nil, fmt.Errorf("%s: %w", patch.Name, errOthers)
	}
	switch {
	case len(changes) > 1:
		return nil, errTwoPatched
	case len(changes) == 0:
		if list.After, err = withoutPatch(list.Name); err != nil {
			return nil, err
		}
	default:
		ops, err := operations(changes[0].before, changes[0].after)
		if err != nil {
			return nil, err
		}
		text, err := k8syaml.Marshal(ops)
		if err != nil {
			return nil, fmt.Errorf("encode the patch: %w", err)
		}
		patch.After = append([]byte(patchHead), text...)
		if list.After, err = withPatch(list.Name, b.sourceOf(dir, changes[0].item)); err != nil {
			return nil, err
		}
	}
	edits := slices.DeleteFunc([]manifest.FileEdit{patch, list}, func(e manifest.FileEdit) bool { return bytes.Equal(e.Before, e.After) })
	if len(changes) == 0 {
		return edits, nil
	}
	return edits, b.gives(edits)
}

// sourceOf returns an object as it is in its file: a patch must use the name there.
func (b Built) sourceOf(dir string, item *yaml.RNode) *yaml.RNode {
	group, _, _ := cutVersion(item.GetApiVersion())
	s := sources{files: map[string]*sourceFile{}, visited: map[string]bool{}, kind: item.GetKind(), group: group}
	for _, c := range slices.Backward(ofName(s.carriers(dir), item.GetName())) {
		if c.object != nil {
			return c.object
		}
	}
	return item
}

// withoutPatch returns the text of a kustomization without the entry for the patch.
func withoutPatch(path string) ([]byte, error) {
	return editKustomization(path, func(root *yaml.Node) {
		patches := yamlnode.Get(root, "patches")
		if patches == nil {
			return
		}
		patches.Content = slices.DeleteFunc(patches.Content, isPatchNode)
		if len(patches.Content) == 0 {
			yamlnode.Remove(root, "patches")
		}
	})
}

// withPatch returns the text of a kustomization with an entry for the patch.
func withPatch(path string, of *yaml.RNode) ([]byte, error) {
	return editKustomization(path, func(root *yaml.Node) {
		patches := yamlnode.Sequence(root, "patches")
		if slices.ContainsFunc(patches.Content, isPatchNode) {
			return
		}
		entry := yamlnode.NewMapping()
		yamlnode.SetString(entry, "path", patchFile, 0)
		target := yamlnode.Mapping(entry, "target")
		group, _, _ := cutVersion(of.GetApiVersion())
		yamlnode.SetString(target, "group", group, 0)
		yamlnode.SetString(target, "kind", of.GetKind(), 0)
		yamlnode.SetString(target, "name", of.GetName(), 0)
		patches.Content = append(patches.Content, entry)
	})
}

func isPatchNode(entry *yaml.Node) bool {
	path := yamlnode.Get(entry, "path")
	return path != nil && filepath.Clean(path.Value) == patchFile
}

// editKustomization returns the text of a kustomization after an edit.
func editKustomization(path string, edit func(root *yaml.Node)) ([]byte, error) {
	text := readText(path)
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil || len(doc.Content) != 1 {
		return nil, fmt.Errorf("%s: cannot be read: %w", path, err)
	}
	edit(doc.Content[0])
	out, err := yamledit.Edit(text, &doc)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}
