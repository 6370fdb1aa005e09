package edit

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

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
	patchTarget

	name string // of the file
	text []byte
	item *yaml.RNode // as it is built without the patch
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
func patchEdits(b kustomize.Built, jsonAlone map[*yaml.RNode]bool, kept []string) ([]files.Change, error) {
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
	for _, name := range patchFilesIn(dir) {
		if !slices.Contains(kept, name) && !slices.ContainsFunc(patches, func(p objectPatch) bool { return p.name == name }) {
			path := filepath.Join(dir, name)
			edits = append(edits, files.Change{Name: path, Before: readText(path)})
		}
	}
	listed := ownPatches(dir)
	edits = slices.DeleteFunc(edits, func(e files.Change) bool {
		// A file that is neither ours nor listed stays, if no patch takes its name.
		return e.After == nil && !isOurs(e.Before) && !slices.ContainsFunc(listed, func(p types.Patch) bool { return p.Path == filepath.Base(e.Name) })
	})
	for _, e := range edits {
		if e.Before != nil && !isOurs(e.Before) {
			return nil, fmt.Errorf("%s: %w", e.Name, errOthers)
		}
	}
	return slices.DeleteFunc(append(edits, list), func(e files.Change) bool { return bytes.Equal(e.Before, e.After) }), nil
}

func isOurs(text []byte) bool { return bytes.HasPrefix(text, []byte(patchHead)) }

// patchFilesIn returns the names of the files in a directory that are named as our patches.
func patchFilesIn(dir string) []string {
	var out []string
	entries, _ := os.ReadDir(dir) // the build has read it
	for _, entry := range entries {
		if isPatchFile(entry.Name()) {
			out = append(out, entry.Name())
		}
	}
	return out
}

// patchesOf returns the patches of the changed objects: of each a merge patch, then a JSON
// patch, if it needs them; of the objects in jsonAlone a JSON patch alone. They do not take
// the names of the kept files.
func patchesOf(b kustomize.Built, jsonAlone map[*yaml.RNode]bool, kept []string) ([]objectPatch, error) {
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
		d, err := differenceOf(c.before, c.after, merging(!jsonAlone[c.item]))
		if err != nil {
			return nil, err
		}
		of := targets.of[c.item]
		contents := d.patches(of.id)
		var names []string
		for len(names) < len(contents) {
			if number++; !slices.Contains(kept, patchFileOf(number)) {
				names = append(names, patchFileOf(number))
			}
		}
		for i, content := range contents {
			text, err := k8syaml.Marshal(content)
			if err != nil {
				return nil, fmt.Errorf("encode the patch of %s %q: %w", c.item.GetKind(), c.item.GetName(), err)
			}
			// The JSON patch has the first name, which it always had.
			name := names[len(names)-1-i]
			out = append(out, objectPatch{patchTarget: of, name: name, text: append([]byte(patchHead), text...), item: yaml.NewRNode(c.before)})
		}
	}
	return out, nil
}

// patchesOf returns the patches of an object as values.
func (d difference) patches(of resid.ResId) []any {
	var out []any
	if len(d.merge) > 0 {
		metadata := map[string]any{"name": of.Name}
		if inner := asMapping(d.merge["metadata"]); inner != nil {
			inner["name"] = of.Name
			metadata = inner
		}
		d.merge["apiVersion"], d.merge["kind"], d.merge["metadata"] = of.ApiVersion(), of.Kind, metadata
		out = append(out, d.merge)
	}
	if len(d.json) > 0 {
		out = append(out, d.json)
	}
	return out
}

// targetedPatch is a patch of goldenarch that a kustomization lists, with the objects that are its target.
type targetedPatch struct {
	types.Patch

	target types.Selector
	items  []*yaml.RNode
}

// targetedIn returns the patches of goldenarch, without the kept ones.
func targetedIn(b kustomize.Built, kept []string) ([]targetedPatch, error) {
	own := slices.DeleteFunc(ownPatches(b.Path), func(p types.Patch) bool { return slices.Contains(kept, p.Path) })
	if len(own) == 0 {
		return nil, nil
	}
	targets, err := patchTargetsOf(b)
	if err != nil {
		return nil, err
	}
	var out []targetedPatch
	for _, p := range own {
		target := statedTarget(filepath.Join(targets.dir, p.Path), p.Target)
		out = append(out, targetedPatch{p, target, targets.selected(target)})
	}
	return out, nil
}

// PatchesOutside returns the files of the patches of goldenarch that are for objects
// outside of a scope. The items are those of [WithoutPatch] without kept files. A
// patch whose target is no object of the build counts by its kind.
func PatchesOutside(b kustomize.Built, scope Scope) []string {
	own, _ := targetedIn(b, nil) // with an error the directory has no patch, and Patches reports it
	var out []string
	for _, p := range own {
		if !slices.ContainsFunc(p.items, scope.Item) && (len(p.items) > 0 || !scope.Kind(p.target.Group, p.target.Kind)) {
			out = append(out, p.Path)
		}
	}
	return out
}

// patchTargetsOf returns the objects of a build as patches name them. A patch comes before
// the prefix, the suffix and the namespace of its kustomization, so it must use the name in
// the file, or the one that the base gave.
func patchTargetsOf(b kustomize.Built) (*patchTargets, error) {
	dir, err := files.Real(b.Path)
	if err != nil {
		return nil, err
	}
	out := &patchTargets{dir: dir, items: b.Items, of: make(map[*yaml.RNode]patchTarget, len(b.Items)), named: map[string][]*yaml.RNode{}}
	index := fragmentIndexOf(&Session{}, b.Path, dir)
	kinds := map[resid.Gvk]int{}
	for _, item := range b.Items {
		gvk := resid.GvkFromNode(item)
		id := kustomize.IDOf(index.sourceOf(item))
		out.of[item] = patchTarget{gvk: gvk, id: id, target: types.Selector{ResId: resid.ResId{
			Gvk: resid.Gvk{Group: id.Group, Kind: id.Kind}, Name: regexp.QuoteMeta(id.Name),
		}}}
		kinds[resid.Gvk{Group: gvk.Group, Kind: gvk.Kind}]++
		out.add(item, id.Name)
		out.add(item, item.GetName())
	}
	_, k, _ := kustomize.Read(dir)
	for _, item := range b.Items {
		t := out.of[item]
		t.alone = kinds[resid.Gvk{Group: t.gvk.Group, Kind: t.gvk.Kind}] == 1
		if out.hasRival(item) {
			name := strings.TrimSuffix(strings.TrimPrefix(item.GetName(), k.NamePrefix), k.NameSuffix)
			t.target.Name = regexp.QuoteMeta(name)
			if t.target.Namespace = item.GetNamespace(); k.Namespace != "" || t.target.Namespace == "" {
				t.target.Namespace = t.id.EffectiveNamespace()
			}
			out.add(item, name)
		}
		out.of[item] = t
	}
	return out, nil
}

// Stale returns the items that the patches in a directory no longer give as goldenarch decides. The items
// are those of [WithoutPatch], and committed is the build with the patches.
func Stale(b, committed kustomize.Built) ([]*yaml.RNode, error) {
	if len(b.Items) != len(committed.Items) {
		return nil, nil // a patch that removes objects is none of goldenarch
	}
	other, err := otherIn(b, committed)
	return slices.DeleteFunc(slices.Clone(b.Items), func(item *yaml.RNode) bool { return !other[item] }), err
}

// Scope says which objects a run decides on.
type Scope interface {
	Item(item *yaml.RNode) bool
	Kind(group, kind string) bool
}

// statedTarget returns the target of a patch. A merge patch without one names its object.
func statedTarget(path string, stated *types.Selector) types.Selector {
	if stated != nil {
		return *stated
	}
	node, err := yaml.Parse(string(readText(path)))
	if err != nil || node.YNode().Kind != yaml.MappingNode {
		return types.Selector{}
	}
	id := kustomize.IDOf(node)
	return types.Selector{ResId: resid.ResId{
		Gvk: resid.Gvk{Group: id.Group, Kind: id.Kind}, Name: regexp.QuoteMeta(id.Name),
	}}
}

// withPatches returns the text of a kustomization that lists these patches of goldenarch
// and the kept ones, and no others. An entry stays as it is where its target fits.
func withPatches(path string, patches []objectPatch, kept []string) ([]byte, error) {
	text := readText(path)
	root, err := rootOf(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
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

// withEntries returns the entries of a list of patches with those for ours. Entries stay
// where they are, and new ones come behind them: a patch is for what the others leave.
func withEntries(entries []*yaml.Node, patches []objectPatch, kept []string) []*yaml.Node {
	written := func(entry *yaml.Node) (string, bool) {
		name, ok := patchNameOf(entry)
		return name, ok && !slices.Contains(kept, name)
	}
	var listed []string
	had := map[string]*yaml.Node{}
	last := len(entries)
	for i, entry := range entries {
		if name, ok := written(entry); ok {
			had[name], last, listed = entry, i, append(listed, name)
		}
	}
	var names []string
	var ours []*yaml.Node
	for _, p := range patches {
		names, ours = append(names, p.name), append(ours, p.entry(had[p.name]))
	}
	if slices.Equal(listed, names) {
		return entries
	}
	others := func(entries []*yaml.Node) []*yaml.Node {
		return slices.DeleteFunc(slices.Clone(entries), func(entry *yaml.Node) bool { _, ok := written(entry); return ok })
	}
	return slices.Concat(others(entries[:last]), ours, others(entries[last:]))
}

// entry returns the entry of a kustomization for a patch. One that is there stays as it is,
// if its target can only be the object.
func (p objectPatch) entry(had *yaml.Node) *yaml.Node {
	entry := had
	if entry == nil {
		entry = yamlnode.NewMapping()
		yamlnode.SetString(entry, "path", p.name, 0)
	}
	key := yamlnode.KeyInAnyCase(entry, "target")
	if target := yamlnode.Get(entry, key); target != nil && p.isFor(target) {
		return entry
	}
	yamlnode.Remove(entry, key)
	target := yamlnode.Mapping(entry, "target")
	for _, field := range []struct{ key, value string }{
		{"group", p.target.Group}, {"kind", p.target.Kind}, {"name", p.target.Name}, {"namespace", p.target.Namespace},
	} {
		if field.value != "" {
			yamlnode.SetString(target, field.key, field.value, 0)
		}
	}
	return entry
}

// isFor reports whether a target can only be the object of the patch, and is that with its
// labels and annotations.
func (p objectPatch) isFor(target *yaml.Node) bool {
	var stated types.Selector
	if err := target.Decode(&stated); err != nil {
		return false
	}
	selector, err := types.NewSelectorRegex(&stated)
	if err != nil || !selector.MatchGvk(p.id.Gvk) || stated.Kind == "" {
		return false
	}
	if p.target.Namespace != "" || !p.alone {
		return stated == p.target
	}
	labels, wrong := p.item.MatchesLabelSelector(stated.LabelSelector)
	annotations, invalid := p.item.MatchesAnnotationSelector(stated.AnnotationSelector)
	return labels && wrong == nil && annotations && invalid == nil &&
		selector.MatchName(p.id.Name) && selector.MatchNamespace(p.id.EffectiveNamespace())
}

// patchNameOf returns the name of our patch that an entry of a kustomization lists.
func patchNameOf(entry *yaml.Node) (string, bool) {
	path := yamlnode.Get(entry, yamlnode.KeyInAnyCase(entry, "path"))
	if path == nil || !isPatchFile(path.Value) {
		return "", false
	}
	return filepath.Clean(path.Value), true
}
