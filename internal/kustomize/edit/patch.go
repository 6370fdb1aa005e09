package edit

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

const (
	// patchFile is the name of the first file with a patch that goldenarch writes. The
	// next ones have a number: goldenarch-patch-2.yaml.
	patchFile = patchWord + ".yaml"
	patchWord = "goldenarch-patch"
	// patchHead is the first line of such a file.
	patchHead = "# goldenarch fix --patch writes this file. It does not keep edits made by hand.\n"
)

var patchName = pattern.Of(`^` + patchWord + `(-[0-9]+)?\.yaml$`)

var errUnreadable = errors.New("cannot be read")

// errOthers is the error for a file of another author with the name of our patch.
var errOthers = errors.New("goldenarch did not write the file, and does not replace it: rename it")

// isPatchFile reports whether a path of a kustomization names a patch of goldenarch.
func isPatchFile(path string) bool { return patchName().MatchString(filepath.Clean(path)) }

// patchFileOf returns the name of the patch with a number, from 1.
func patchFileOf(number int) string {
	if number == 1 {
		return patchFile
	}
	return fmt.Sprintf(patchWord+"-%d.yaml", number)
}

// HasPatch reports whether the kustomization of a directory lists a patch that goldenarch
// writes.
func HasPatch(dir string) bool { return len(ownPatches(dir)) > 0 }

// ownPatches returns the entries for patches of goldenarch in the kustomization of a directory,
// with clean paths.
func ownPatches(dir string) []types.Patch {
	data, err := files.Read(kustomize.FileIn(dir))
	if err != nil || !bytes.Contains(data, []byte(patchWord)) && bytes.IndexByte(data, '\\') < 0 {
		return nil // most kustomizations; an escape could hide the name
	}
	_, k, ok := kustomize.Read(dir)
	if !ok {
		return nil
	}
	var out []types.Patch
	for _, p := range k.Patches {
		if isPatchFile(p.Path) {
			p.Path = filepath.Clean(p.Path)
			out = append(out, p)
		}
	}
	return out
}

// WithoutPatch requests a build of a directory as if its kustomization did not list the
// patchesOf that goldenarch writes, except those in the kept files.
func WithoutPatch(dir string, kept ...string) (kustomize.Request, error) {
	root, err := files.Real(dir)
	if err != nil {
		return kustomize.Request{}, err
	}
	path, _, _ := kustomize.Read(root)
	text, err := withPatches(path, nil, kept)
	return kustomize.Request{Dir: dir, Texts: map[string][]byte{path: text}}, err
}

// objectPatch is a patch of one object, and its file.
type objectPatch struct {
	targets *patchTargets
	item    *yaml.RNode
	name    string // of the file
	text    []byte
}

// Patches returns the files of the patches that turn the built items into the edited
// ones, and the kustomization that lists them. The items are those of [WithoutPatch],
// and the kept files stay as they are. A build with these files gives the edited items,
// byte for byte.
func Patches(b kustomize.Built, kept ...string) ([]files.Change, error) {
	edits, err := patchEdits(b, nil, kept)
	if err != nil {
		return nil, err
	}
	wrong, err := wrongWith(b, edits)
	if err != nil || len(wrong) == 0 {
		return edits, err
	}
	// A merge patch can do more than to set its fields: kustomize leaves out empty fields,
	// and joins elements of a list that have the same key.
	if edits, err = patchEdits(b, wrong, kept); err != nil {
		return nil, err
	}
	return edits, mustGive(b, edits)
}

// patchEdits returns the files of the patches, and the kustomization that lists them. Some
// objects get a JSON patch alone.
func patchEdits(b kustomize.Built, jsonAlone []*yaml.RNode, kept []string) ([]files.Change, error) {
	dir, err := files.Real(b.Path)
	if err != nil {
		return nil, err
	}
	patches, err := patchesOf(b, jsonAlone, kept)
	if err != nil {
		return nil, err
	}
	file, _, _ := kustomize.Read(dir)
	list := files.Change{Name: file}
	list.Before = readText(list.Name)
	if list.After, err = withPatches(list.Name, patches, kept); err != nil {
		return nil, err
	}
	var edits []files.Change
	for _, p := range patches {
		edits = append(edits, files.Change{Name: filepath.Join(dir, p.name), Before: readText(filepath.Join(dir, p.name)), After: p.text})
	}
	for _, p := range ownPatches(dir) {
		if !slices.Contains(kept, p.Path) && !slices.ContainsFunc(edits, func(e files.Change) bool { return filepath.Base(e.Name) == p.Path }) {
			path := filepath.Join(dir, p.Path)
			edits = append(edits, files.Change{Name: path, Before: readText(path)})
		}
	}
	for _, e := range edits {
		if e.Before != nil && !bytes.HasPrefix(e.Before, []byte(patchHead)) {
			return nil, fmt.Errorf("%s: %w", e.Name, errOthers)
		}
	}
	return slices.DeleteFunc(append(edits, list), func(e files.Change) bool { return bytes.Equal(e.Before, e.After) }), nil
}

// patchesOf returns the patches of the changed objects: of each a merge patch, then a JSON
// patch, if it needs them; of the objects in jsonAlone a JSON patch alone. They do not take
// the names of the kept files.
func patchesOf(b kustomize.Built, jsonAlone []*yaml.RNode, kept []string) ([]objectPatch, error) {
	changes, err := changesOf(b)
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	targets, err := patchTargetsOf(b)
	if err != nil {
		return nil, err
	}
	var out []objectPatch
	number := 0
	for _, c := range changes {
		d, err := differenceOf(c.changes(), !slices.Contains(jsonAlone, c.item))
		if err != nil {
			return nil, err
		}
		texts, err := d.patches(targets.of[c.item].id)
		if err != nil {
			return nil, err
		}
		first := len(out)
		for _, text := range slices.Backward(texts) { // the JSON patch has the first name, which it always had
			number++
			for slices.Contains(kept, patchFileOf(number)) {
				number++
			}
			out = slices.Insert(out, first, objectPatch{targets, c.item, patchFileOf(number), text})
		}
	}
	return out, nil
}

// PatchesOutside returns the files of the patches of goldenarch that are for objects
// outside of a scope. The items are those of [WithoutPatch] without kept files. A
// patch whose target is no object of the build counts by its kind.
func PatchesOutside(b kustomize.Built, scope Scope) []string {
	own := ownPatches(b.Path)
	if len(own) == 0 {
		return nil
	}
	targets, err := patchTargetsOf(b)
	if err != nil {
		return nil // the directory has no patch then, and Patches reports it
	}
	var out []string
	for _, p := range own {
		stated := types.Selector{}
		if p.Target != nil {
			stated = *p.Target
		}
		items := targets.selected(stated)
		if !slices.ContainsFunc(items, scope.Item) && (len(items) > 0 || !scope.Kind(stated.Group, stated.Kind)) {
			out = append(out, p.Path)
		}
	}
	return out
}

// Stale returns the items that the patches in a directory no longer give as goldenarch decides. The items
// are those of [WithoutPatch], and committed is the build with the patches.
func Stale(b, committed kustomize.Built) ([]*yaml.RNode, error) {
	if len(b.Items) != len(committed.Items) {
		return nil, nil // a patch that removes objects is none of goldenarch
	}
	return otherIn(b, committed)
}

// Scope says which objects a run decides on.
type Scope interface {
	Item(item *yaml.RNode) bool
	Kind(group, kind string) bool
}

// withPatches returns the text of a kustomization that lists these patches of goldenarch
// and the kept ones, and no others. An entry stays as it is where its target fits.
func withPatches(path string, patches []objectPatch, kept []string) ([]byte, error) {
	text := readText(path)
	root := yamlNode(text)
	if root == nil {
		return nil, fmt.Errorf("%s: %w", path, errUnreadable)
	}
	key := yamlnode.KeyInAnyCase(root, "patches")
	if len(patches) > 0 || yamlnode.Get(root, key) != nil {
		list := yamlnode.Sequence(root, key)
		list.Content = withEntries(list.Content, patches, kept)
		if len(list.Content) == 0 {
			yamlnode.Remove(root, key)
		}
	}
	out, err := yamledit.Update(text, root)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

// withEntries returns the entries of a list of patches with those for ours. These are where the last of
// them was, or at the end: a patch is for what the others leave.
func withEntries(entries []*yaml.Node, patches []objectPatch, kept []string) []*yaml.Node {
	var ours, others []*yaml.Node
	had, at := map[string]*yaml.Node{}, -1
	for _, entry := range entries {
		if name, ok := patchNameOf(entry); ok && !slices.Contains(kept, name) {
			had[name], at = entry, len(others)
		} else {
			others = append(others, entry)
		}
	}
	if at < 0 {
		at = len(others)
	}
	for _, p := range patches {
		ours = append(ours, p.entry(had[p.name]))
	}
	return slices.Insert(others, at, ours...)
}

// entry returns the entry of a kustomization for a patch. One that is there stays as it is,
// if its target selects the object alone.
func (p objectPatch) entry(had *yaml.Node) *yaml.Node {
	entry := had
	if entry == nil {
		entry = yamlnode.NewMapping()
		yamlnode.SetString(entry, "path", p.name, 0)
	}
	key := yamlnode.KeyInAnyCase(entry, "target")
	if target := yamlnode.Get(entry, key); target != nil {
		var stated types.Selector
		if err := target.Decode(&stated); err == nil && slices.Equal(p.targets.selected(stated), []*yaml.RNode{p.item}) {
			return entry
		}
	}
	yamlnode.Remove(entry, key)
	target, wanted := yamlnode.Mapping(entry, "target"), p.targets.of[p.item].target
	for _, field := range []struct{ key, value string }{
		{"group", wanted.Group}, {"kind", wanted.Kind}, {"name", wanted.Name}, {"namespace", wanted.Namespace},
	} {
		if field.value != "" {
			yamlnode.SetString(target, field.key, field.value, 0)
		}
	}
	return entry
}

// patchNameOf returns the name of our patch that an entry of a kustomization lists.
func patchNameOf(entry *yaml.Node) (string, bool) {
	path := yamlnode.Get(entry, yamlnode.KeyInAnyCase(entry, "path"))
	if path == nil || !isPatchFile(path.Value) {
		return "", false
	}
	return filepath.Clean(path.Value), true
}
