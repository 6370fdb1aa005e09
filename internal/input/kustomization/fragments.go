package kustomization

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// fragment is a text that sets fields of a built object: the object in its file, a
// strategic merge patch, or an operation of a JSON patch.
type fragment struct {
	*sourceFile

	node *yaml.Node // the object, the patch, or the value of the operation
	// operation is the operation of a JSON patch (RFC 6902), and at its path; nil for an
	// object and a patch in the form of one.
	operation *yaml.Node
	at        []string
	object    bool   // the object itself, and not a patch
	name      string // of the object, or of the one that a patch without a target is for
	target    *types.SelectorRegex
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
	files   map[string]*sourceFile // by path: two entries may name one
}

// fragmentIndexOf returns the fragments of a build. Those of a session that others use may
// only be read.
func fragmentIndexOf(s *Session, path, root string) *fragmentIndex {
	c := fragmentsOf{session: s, root: root, visited: map[string]bool{}, files: map[string]*sourceFile{}}
	return newFragmentIndex(path, root, c.in(root))
}

// in returns the fragments of a directory in order of precedence: patches from last to
// first, then components, then resources.
func (c *fragmentsOf) in(dir string) []fragment {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil || c.visited[dir] {
		return nil
	}
	c.visited[dir] = true
	d := c.session.source(c.root, dir, func() sharedSource { return sharedSource{directory: c.directory(dir)} }).directory
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

// directory reads the kustomization of a directory, and its patches.
func (c *fragmentsOf) directory(dir string) directoryOf {
	path, k, ok := kustomizationOf(dir)
	if !ok {
		return directoryOf{}
	}
	root := yamlNode(readText(path))
	var out []fragment
	for i, patch := range slices.Backward(k.PatchesJson6902) { //nolint:staticcheck // older kustomizations have them
		out = append(out, c.patch(inlinePatch{dir, path, "patchesJson6902", i}, patch, listed(root, "patchesJson6902", i, "patch"))...)
	}
	for i, patch := range slices.Backward(k.Patches) {
		out = append(out, c.patch(inlinePatch{dir, path, "patches", i}, patch, listed(root, "patches", i, "patch"))...)
	}
	for i, patch := range slices.Backward(k.PatchesStrategicMerge) { //nolint:staticcheck // older kustomizations have them
		entry := types.Patch{Path: string(patch)}
		if isInline(entry.Path) {
			entry = types.Patch{Patch: entry.Path}
		}
		out = append(out, c.patch(inlinePatch{dir, path, "patchesStrategicMerge", i}, entry, listed(root, "patchesStrategicMerge", i))...)
	}
	for i, image := range k.Images {
		if n := listed(root, "images", i); n != nil {
			out = append(out, fragment{sourceFile: &sourceFile{path: path, line: ownLine}, node: n, at: []string{}, image: &image})
		}
	}
	return directoryOf{k: k, own: out}
}

// file reads a file, once.
func (c *fragmentsOf) file(path string) *sourceFile {
	if c.files[path] == nil {
		c.files[path] = c.session.source(c.root, path, func() sharedSource { return sharedSource{file: newSource(path, path, readText(path))} }).file
	}
	return c.files[path]
}

// objects returns the objects of a file.
func (c *fragmentsOf) objects(path string) []fragment {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil
	}
	file := c.file(path)
	var out []fragment
	for _, item := range file.objects() {
		x := newFragment(file, item)
		x.object = true
		out = append(out, x)
	}
	return out
}

// patch returns the fragments of an entry of a list of patches, from last to first. If its
// text is in the kustomization, inline is the node with that text.
func (c *fragmentsOf) patch(at inlinePatch, entry types.Patch, inline *yaml.Node) []fragment {
	file := c.patchFile(at, entry, inline)
	if file == nil {
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
	if file.json != nil {
		for _, operation := range slices.Backward(file.json.Content) {
			out = append(out, operationFragments(file, operation)...)
		}
	}
	for _, item := range slices.Backward(file.objects()) {
		out = append(out, newFragment(file, item))
	}
	for i := range out {
		if out[i].target = target; target != nil {
			out[i].name, out[i].targetName = "", targetName(entry.Target)
		}
	}
	return out
}

// patchFile reads the text of an entry of a list of patches; nil if there is none.
func (c *fragmentsOf) patchFile(at inlinePatch, entry types.Patch, inline *yaml.Node) *sourceFile {
	if entry.Path != "" {
		path, err := filepath.EvalSymlinks(filepath.Join(at.dir, entry.Path))
		if err != nil || isRemote(entry.Path) {
			return nil
		}
		return c.file(path)
	}
	line := inlineLine(inline)
	if line == nil {
		return nil
	}
	file := newSource(at.file, at.file+" "+at.String(), []byte(entry.Patch))
	file.inline, file.line = &at, line
	return file
}

// operationFragments returns the fragment of an operation of a JSON patch that sets a
// value.
func operationFragments(file *sourceFile, operation *yaml.Node) []fragment {
	op, path, value := yamlnode.Get(operation, "op"), yamlnode.Get(operation, "path"), yamlnode.Get(operation, "value")
	if op == nil || path == nil || value == nil || op.Value != "add" && op.Value != "replace" {
		return nil
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~") // RFC 6901
	at := strings.Split(strings.TrimPrefix(path.Value, "/"), "/")
	for i := range at {
		at[i] = unescape.Replace(at[i])
	}
	return []fragment{{sourceFile: file, node: value, operation: operation, at: at}}
}

func newFragment(file *sourceFile, item *yaml.RNode) fragment {
	return fragment{sourceFile: file, node: item.YNode(), name: item.GetName(), gvk: resid.GvkFromNode(item)}
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
