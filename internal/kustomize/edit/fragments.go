package edit

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
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
	// object is the file of the object itself, as the user knows it; "" for a patch.
	object string
	// id is that of the object, or of the one that a patch is for. Of a patch with a target it has the
	// target's name, without escapes.
	id     resid.ResId
	target *types.SelectorRegex
}

// mayBeFor reports whether a patch can be for an object with a name in the build and one in its
// file. Each kustomization on the way can add a prefix and a suffix, and a patch knows the name that it
// gets there.
func (f fragment) mayBeFor(gvk resid.Gvk, built, inFile string) bool {
	onTheWay := strings.Contains(built, f.id.Name) && strings.Contains(f.id.Name, inFile)
	if f.target == nil {
		return onTheWay && f.id.Group == gvk.Group && f.id.Kind == gvk.Kind
	}
	return (onTheWay || f.target.MatchName(built) || f.target.MatchName(inFile)) && f.target.MatchGvk(gvk)
}

// covers reports whether a fragment can set the value at a path: an operation of a JSON
// patch sets the value at its own path. It returns the rest of the path inside of that.
func (f fragment) covers(path []step) ([]step, bool) {
	if len(f.at) > len(path) {
		return nil, false
	}
	for i, key := range f.at {
		switch s := path[i]; {
		case s.element && i == len(f.at)-1 && s.name != "":
			// The index may be "-", or be another one after later operations.
			if _, name := nodeName(f.node); name != s.name {
				return nil, false
			}
		case key != s.key:
			return nil, false
		}
	}
	return path[len(f.at):], true
}

// find returns the value that a fragment sets at a path, and its line; nil if it sets none.
func (f fragment) find(path []step) (*yaml.Node, int) { return f.follow(path, false) }

// follow finds the value at a path, and can make the mappings on the way that are missing.
func (f fragment) follow(path []step, makes bool) (*yaml.Node, int) {
	rest, covers := f.covers(path)
	if !covers {
		return nil, 0
	}
	n, line := f.node, f.node.Line
	for _, s := range rest {
		next, at := s.from(n)
		if makes && n.Kind == yaml.MappingNode && !s.element && (next == nil || yamlnode.IsNull(next)) {
			around := n
			if n = yamlnode.NewMapping(); next != nil && f.isPatch() {
				n = replacing()
			}
			yamlnode.Put(around, s.key, n)
			continue
		}
		if next == nil {
			return nil, 0
		}
		n, line = yamlnode.Dealias(next), at
	}
	return n, f.lineOf(line)
}

// isPatch reports whether a fragment is a patch in the form of an object.
func (f fragment) isPatch() bool { return f.operation == nil && f.object == "" }

// removes reports whether a patch in the form of an object removes the value at a path or one around it:
// with null in its place.
func (f fragment) removes(path []step) bool {
	for i := range path {
		if n, _ := f.find(path[:i+1]); n != nil && yamlnode.IsNull(n) {
			return f.isPatch()
		}
	}
	return false
}

// collector collects the fragments of a kustomization, and of those that it refers to.
type collector struct {
	*fragments

	session *Session
	root    string // the directory that is built
	visited map[string]bool
	files   map[string]*sourceFile // by path: two entries may name one
}

// add adds the fragments of a directory without links in order of precedence: patches from last to
// first, then components, then resources.
func (c *collector) add(dir string) {
	if c.visited[dir] {
		return
	}
	c.visited[dir] = true
	path, k, ok := kustomize.Read(dir)
	if !ok {
		return
	}
	c.sure = c.sure && len(k.Transformers)+len(k.Replacements)+len(k.Vars) == 0 //nolint:staticcheck // older kustomizations have vars
	list := newKustomization(dir, path)
	for i, patch := range slices.Backward(k.PatchesJson6902) { //nolint:staticcheck // older kustomizations have them
		c.addPatch(list, patch, "patchesJson6902", i)
	}
	for i, patch := range slices.Backward(k.Patches) {
		c.addPatch(list, patch, "patches", i)
	}
	for i, patch := range slices.Backward(k.PatchesStrategicMerge) { //nolint:staticcheck // older kustomizations have them
		entry := types.Patch{Path: string(patch)}
		if kustomize.IsInline(entry.Path) {
			entry = types.Patch{Patch: entry.Path}
		}
		c.addPatch(list, entry, "patchesStrategicMerge", i)
	}
	for i, image := range k.Images {
		if n := textIn(list.root, "images", i); n != nil {
			c.images = append(c.images, imageEntry{image, path, n.Line})
		}
	}
	entries := slices.Concat(k.Resources, k.Bases, k.Components) //nolint:staticcheck // older kustomizations have bases
	for _, path := range slices.Backward(kustomize.Located(dir, entries)) {
		if kustomize.In(path) {
			c.add(path)
			continue
		}
		file, shown := c.file(path), c.shown(path)
		for _, item := range file.objects() {
			x := newFragment(file, item)
			x.object = shown
			kind := kindOf(x.id.Gvk)
			c.objects[kind] = append(c.objects[kind], x)
		}
	}
}

// file reads a file, once. The session keeps those that clusters share, which are not below the root.
func (c *collector) file(path string) *sourceFile {
	if c.files[path] == nil {
		read := func() *sourceFile { return newSource(path, path, readText(path)) }
		if files.Within(path, c.root) {
			c.files[path] = read()
		} else {
			c.files[path] = c.session.file(path, read)
		}
	}
	return c.files[path]
}

// addPatch adds the fragments of an entry of a list of patches, from last to first.
func (c *collector) addPatch(list *kustomizationFile, entry types.Patch, field string, i int) {
	var file *sourceFile
	if entry.Path != "" {
		if path := kustomize.Located(list.dir, []string{entry.Path}); len(path) > 0 {
			file = c.file(path[0])
		}
	} else if text := textIn(list.root, field, i); text != nil {
		at := &inlinePatch{list, field, i, text}
		file = newSource(list.path, list.path+" "+at.String(), []byte(entry.Patch))
		file.inline = at
	}
	if file == nil {
		return
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
		if entry.Target != nil {
			target, err := types.NewSelectorRegex(entry.Target)
			if err != nil {
				return
			}
			out[i].target, out[i].id.Name = target, strings.ReplaceAll(entry.Target.Name, `\`, "")
		}
	}
	c.patches = append(c.patches, out...)
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
	return fragment{sourceFile: file, node: item.YNode(), id: kustomize.IDOf(item)}
}
