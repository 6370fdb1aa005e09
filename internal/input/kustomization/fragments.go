package kustomization

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// fragment is a text that sets fields of a built object: the object in its file, a
// strategic merge patch, or an operation of a JSON patch.
type fragment struct {
	file   string // absolute, without links
	line   func(n *yaml.Node) int
	node   *yaml.Node // the object, the patch, or the value of the operation
	at     []string   // the path of the operation; nil for an object and a patch
	object bool       // the object itself, and not a patch
	names  []string   // the names that a patch is for; nil for any
	target *types.SelectorRegex
	// targetName is the only name that the target matches; "" if it is a pattern.
	targetName string
	gvk        resid.Gvk
	// image is an entry of images, which sets names, tags and digests; nil for the others.
	image *types.Image
}

// sets reports whether an entry of images sets a reference.
func (f fragment) sets(reference string) bool {
	i := f.image
	if i == nil || i.NewName+i.NewTag+i.Digest == "" || !strings.HasPrefix(reference, cmp.Or(i.NewName, i.Name)) {
		return false
	}
	rest := reference[len(cmp.Or(i.NewName, i.Name)):]
	tag, digest, _ := strings.Cut(rest, "@")
	switch {
	case i.Digest != "":
		return digest == i.Digest
	case i.NewTag != "":
		return tag == ":"+i.NewTag
	}
	return rest == "" || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "@")
}

// fragmentsOf collects the fragments of a kustomization, and of those that it refers to.
type fragmentsOf struct {
	session *Session
	root    string // the directory that is built
	visited map[string]bool
}

// in returns the fragments of a directory in order of precedence: patches from last to
// first, then components, then resources.
func (c *fragmentsOf) in(dir string) []fragment {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil || c.visited[dir] {
		return nil
	}
	c.visited[dir] = true
	d := c.session.source(c.root, dir, func() sharedSource { return sharedSource{directory: readDirectory(dir)} }).directory
	out := slices.Clone(d.own)
	for _, entry := range slices.Backward(slices.Concat(d.k.Resources, d.k.Bases, d.k.Components)) { //nolint:staticcheck // older kustomizations have bases
		if isRemote(entry) || isInline(entry) {
			continue
		}
		if path := filepath.Join(dir, entry); In(path) {
			out = append(out, c.in(path)...)
		} else {
			out = append(out, c.objects(path)...)
		}
	}
	return out
}

// readDirectory reads the kustomization of a directory, and its patches.
func readDirectory(dir string) directoryOf {
	path, k, ok := kustomizationOf(dir)
	if !ok {
		return directoryOf{}
	}
	root := yamlNode(readText(path))
	var out []fragment
	for i, patch := range slices.Backward(k.PatchesJson6902) { //nolint:staticcheck // older kustomizations have them
		out = append(out, patchFragments(path, patch, listed(root, "patchesJson6902", i, "patch"))...)
	}
	for i, patch := range slices.Backward(k.Patches) {
		out = append(out, patchFragments(path, patch, listed(root, "patches", i, "patch"))...)
	}
	for i, patch := range slices.Backward(k.PatchesStrategicMerge) { //nolint:staticcheck // older kustomizations have them
		entry := types.Patch{Path: string(patch)}
		if isInline(entry.Path) {
			entry = types.Patch{Patch: entry.Path}
		}
		out = append(out, patchFragments(path, entry, listed(root, "patchesStrategicMerge", i))...)
	}
	for i, image := range k.Images {
		if n := listed(root, "images", i); n != nil {
			out = append(out, fragment{file: path, line: ownLine, node: n, at: []string{}, image: &image})
		}
	}
	return directoryOf{k: k, own: out}
}

// objects returns the objects of a file, including the elements of a List.
func (c *fragmentsOf) objects(path string) []fragment {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil
	}
	file := c.session.source(c.root, path, func() sharedSource { return sharedSource{file: readSource(path)} }).file
	var out []fragment
	for _, item := range file.items {
		for _, n := range elements(item.YNode()) {
			out = append(out, newFragment(file.path, ownLine, n, isObject))
		}
	}
	return out
}

// patchFragments returns the fragments of an entry of a list of patches. If its text is in
// the kustomization, inline is the node with that text.
func patchFragments(kustomization string, entry types.Patch, inline *yaml.Node) []fragment {
	file, text, line := kustomization, []byte(entry.Patch), ownLine
	if entry.Path != "" {
		path, err := filepath.EvalSymlinks(filepath.Join(filepath.Dir(kustomization), entry.Path))
		if err != nil {
			return nil
		}
		file, text = path, readText(path)
	} else if line = inlineLine(inline); line == nil {
		return nil
	}
	var target *types.SelectorRegex
	if entry.Target != nil {
		var err error
		if target, err = types.NewSelectorRegex(entry.Target); err != nil {
			return nil
		}
	}
	var out []fragment
	if operations := yamlNode(text); operations != nil && operations.Kind == yaml.SequenceNode {
		for _, operation := range slices.Backward(operations.Content) {
			out = append(out, operationFragments(file, line, operation)...)
		}
	} else {
		items, err := manifest.Parse(file, text)
		if err != nil {
			return nil
		}
		for _, item := range slices.Backward(items) {
			out = append(out, newFragment(file, line, item.YNode(), isPatch))
		}
	}
	for i := range out {
		if out[i].target = target; target != nil {
			out[i].names, out[i].targetName = nil, targetName(entry.Target)
		}
	}
	return out
}

// operationFragments returns the fragment of an operation of a JSON patch that sets a
// value.
func operationFragments(file string, line func(*yaml.Node) int, operation *yaml.Node) []fragment {
	op, path, value := yamlnode.Get(operation, "op"), yamlnode.Get(operation, "path"), yamlnode.Get(operation, "value")
	if op == nil || path == nil || value == nil || op.Value != "add" && op.Value != "replace" {
		return nil
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~") // RFC 6901
	at := strings.Split(strings.TrimPrefix(path.Value, "/"), "/")
	for i := range at {
		at[i] = unescape.Replace(at[i])
	}
	return []fragment{{file: file, line: line, node: value, at: at}}
}

// Whether a fragment is an object or a patch of one.
const isObject, isPatch = true, false

func newFragment(file string, line func(*yaml.Node) int, n *yaml.Node, object bool) fragment {
	item := yaml.NewRNode(n)
	return fragment{
		file: file, line: line, node: n, object: object, names: []string{item.GetName()},
		gvk: resid.GvkFromNode(item),
	}
}

// elements returns the objects of a List, or the object itself.
func elements(n *yaml.Node) []*yaml.Node {
	if items := object.ListItems(n); items != nil {
		return items.Content
	}
	return []*yaml.Node{n}
}

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

// listed returns the text of an entry of a list in a kustomization, or nil.
func listed(root *yaml.Node, list string, i int, key ...string) *yaml.Node {
	if root == nil {
		return nil
	}
	entries := yamlnode.Get(root, list)
	if entries == nil || i >= len(entries.Content) {
		return nil
	}
	return yamlnode.Lookup(entries.Content[i], key)
}

func ownLine(n *yaml.Node) int { return n.Line }

// inlineLine returns a function for the lines of a text inside a kustomization. Only a
// block keeps its lines; any other text has one line.
func inlineLine(text *yaml.Node) func(*yaml.Node) int {
	switch {
	case text == nil:
		return nil
	case text.Style&yaml.LiteralStyle != 0:
		return func(n *yaml.Node) int { return text.Line + n.Line }
	default:
		return func(*yaml.Node) int { return text.Line }
	}
}

// yamlNode returns the value of a YAML text, or nil if it cannot be read.
func yamlNode(text []byte) *yaml.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil || len(doc.Content) != 1 {
		return nil
	}
	return doc.Content[0]
}
