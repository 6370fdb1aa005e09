package edit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
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
	if i.NewName+i.NewTag+i.Digest+i.TagSuffix == "" || !strings.HasPrefix(reference, cmp.Or(i.NewName, i.Name)) {
		return false
	}
	rest := reference[len(cmp.Or(i.NewName, i.Name)):]
	tag, digest, _ := strings.Cut(rest, "@")
	switch {
	case i.Digest != "":
		return digest == i.Digest
	case i.NewTag != "":
		return tag == ":"+i.NewTag
	case i.TagSuffix != "":
		return strings.HasPrefix(tag, ":") && strings.HasSuffix(tag, i.TagSuffix)
	}
	return rest == "" || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "@")
}

// top returns the value that a fragment sets: of an operation, the one that it has now.
func (f fragment) top() *yaml.Node {
	if f.operation != nil {
		return yamlnode.NonNull(yamlnode.Value(f.operation, "value"))
	}
	return f.node
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
			if nodeName(f.top()) != s.name {
				return nil, false
			}
		case key != s.key:
			return nil, false
		}
	}
	return path[len(f.at):], true
}

// isBelow reports whether an operation sets a value below a path.
func (f fragment) isBelow(path []step) bool {
	if len(f.at) <= len(path) {
		return false
	}
	for i, step := range path {
		if f.at[i] != step.key {
			return false
		}
	}
	return true
}

// value returns the value that a fragment sets at a path, and its line; nil if it sets
// none.
func (f fragment) value(steps []step) (*yaml.Node, int) {
	rest, covers := f.covers(steps)
	if !covers {
		return nil, 0
	}
	n, line := f.node, f.line(f.node)
	for _, s := range rest {
		next, at := s.from(n)
		if next == nil {
			return nil, 0
		}
		n = yamlnode.Dealias(next)
		line = f.line(at)
	}
	return n, line
}

// mapping says whether holder makes the mapping of a key.
type mapping int

const (
	existing mapping = iota
	made
)

// holder returns the mapping of a fragment that has, or can have, the last key of a path,
// and that key; nil if the fragment does not set the mapping.
func (f fragment) holder(path []step, m mapping) (*yaml.Node, string) {
	rest, covers := f.covers(path)
	if !covers {
		return nil, ""
	}
	if len(rest) == 0 {
		return f.operation, "value"
	}
	top := f.top()
	last := rest[len(rest)-1]
	if top == nil || last.element {
		return nil, ""
	}
	if m == made {
		return mappingAt(top, rest[:len(rest)-1]), last.key
	}
	if n := lookup(top, rest[:len(rest)-1]); n != nil && n.Kind == yaml.MappingNode {
		return n, last.key
	}
	return nil, ""
}

// fragmentsOf collects the fragments of a kustomization, and of those that it refers to.
type fragmentsOf struct {
	session *Session
	root    string // the directory that is built
	visited map[string]bool
	files   map[string]*sourceFile // by path: two entries may name one
	// transforms says that one of them has what sets fields without a fragment.
	transforms bool
}

// fragmentIndexOf returns the fragments of a build. Those of a session that others use may
// only be read.
func fragmentIndexOf(s *Session, path, root string) *fragmentIndex {
	c := fragmentsOf{session: s, root: root, visited: map[string]bool{}, files: map[string]*sourceFile{}}
	out := newFragmentIndex(path, root, c.in(root))
	out.sure = !c.transforms
	return out
}

// in returns the fragments of a directory without links in order of precedence: patches from last to
// first, then components, then resources.
func (c *fragmentsOf) in(dir string) []fragment {
	if c.visited[dir] {
		return nil
	}
	c.visited[dir] = true
	d := c.session.source(c.root, dir, func() sharedSource { return sharedSource{directory: c.directory(dir)} }).directory
	c.transforms = c.transforms || len(d.k.Transformers)+len(d.k.Replacements)+len(d.k.Vars) > 0 //nolint:staticcheck // older kustomizations have vars
	out := slices.Clone(d.own)
	entries := slices.Concat(d.k.Resources, d.k.Bases, d.k.Components) //nolint:staticcheck // older kustomizations have bases
	for _, path := range slices.Backward(kustomize.Located(dir, entries)) {
		if kustomize.In(path) {
			out = append(out, c.in(path)...)
		} else {
			out = append(out, c.objects(path)...)
		}
	}
	return out
}

// directory reads the kustomization of a directory, and its patches.
func (c *fragmentsOf) directory(dir string) directoryOf {
	path, k, ok := kustomize.Read(dir)
	if !ok {
		return directoryOf{}
	}
	root := yamlNode(readText(path))
	var out []fragment
	add := func(field string, i int, patch types.Patch, key ...string) {
		out = append(out, c.patch(inlinePatch{dir, path, field, i}, patch, listed(root, field, i, key...))...)
	}
	for i, patch := range slices.Backward(k.PatchesJson6902) { //nolint:staticcheck // older kustomizations have them
		add("patchesJson6902", i, patch, "patch")
	}
	for i, patch := range slices.Backward(k.Patches) {
		add("patches", i, patch, "patch")
	}
	for i, patch := range slices.Backward(k.PatchesStrategicMerge) { //nolint:staticcheck // older kustomizations have them
		entry := types.Patch{Path: string(patch)}
		if kustomize.IsInline(entry.Path) {
			entry = types.Patch{Patch: entry.Path}
		}
		add("patchesStrategicMerge", i, entry)
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
		if path := kustomize.Located(at.dir, []string{entry.Path}); len(path) > 0 {
			return c.file(path[0])
		}
		return nil
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
	id := kustomize.IDOf(item)
	return fragment{sourceFile: file, node: item.YNode(), name: id.Name, gvk: id.Gvk}
}

// listed returns the text of an entry of a list in a kustomization, or nil.
func listed(root *yaml.Node, list string, i int, key ...string) *yaml.Node {
	entries := yamlnode.Get(root, yamlnode.KeyInAnyCase(root, list))
	if entries == nil || i >= len(entries.Content) {
		return nil
	}
	n := entries.Content[i]
	for _, key := range key {
		if n = yamlnode.Get(n, yamlnode.KeyInAnyCase(n, key)); n == nil {
			return nil
		}
	}
	return yamlnode.Root(n)
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
	root, err := rootOf(text)
	if err != nil {
		return nil
	}
	return root
}

// step is a step of a field's path in a built object.
type step struct {
	key     string
	element bool
	name    string // of the element, "" if it has none
}

// stepsTo returns the steps to a field, and the values on the way. It stops where the
// object has no such field.
func stepsTo(n *yaml.Node, field string) ([]step, []*yaml.Node) {
	var steps []step
	values := []*yaml.Node{n}
	for _, key := range fieldpath.Steps(field) {
		next, _ := yamlnode.Child(n, key)
		if next == nil {
			break
		}
		s := step{key: key, element: n.Kind == yaml.SequenceNode}
		if s.element {
			s.name = nodeName(next)
		}
		n = next
		steps, values = append(steps, s), append(values, n)
	}
	return steps, values
}

// from returns the value that a step leads to, and the node with its line: the key of a
// field, or the element.
func (s step) from(n *yaml.Node) (value, at *yaml.Node) {
	if n.Kind == yaml.SequenceNode && s.element && s.name != "" {
		for _, element := range n.Content {
			if nodeName(yamlnode.Dealias(element)) == s.name {
				return element, element
			}
		}
		return nil, nil
	}
	value, line := yamlnode.Child(n, s.key)
	return value, &yaml.Node{Line: line}
}

func withKey(path []step, key string) []step {
	return append(slices.Clip(path), step{key: key})
}

func withElement(path []step, i int, name string) []step {
	return append(slices.Clip(path), step{key: strconv.Itoa(i), element: true, name: name})
}

// shownPath returns a path as findings name a field.
func shownPath(path []step) string {
	var out strings.Builder
	for i, step := range path {
		switch {
		case step.element:
			out.WriteString("[" + step.key + "]")
		case i > 0:
			out.WriteString("." + step.key)
		default:
			out.WriteString(step.key)
		}
	}
	return out.String()
}

// in returns the value at a step; nil if the node has none. It finds an element by its
// name, because patches change the order.
func (s step) in(n *yaml.Node) *yaml.Node {
	if !s.element {
		return yamlnode.NonNull(yamlnode.Value(n, s.key))
	}
	if n.Kind == yaml.SequenceNode {
		for _, element := range n.Content {
			if nodeName(element) == s.name {
				return element
			}
		}
	}
	return nil
}

// lookup returns the value at a path; nil if the node has no such path.
func lookup(n *yaml.Node, path []step) *yaml.Node {
	for _, step := range path {
		if n == nil {
			return nil
		}
		n = step.in(n)
	}
	return n
}

// mappingAt returns the mapping at a path, and makes the mappings that are missing. It
// returns nil if an element of a list is missing, or something else is there.
func mappingAt(n *yaml.Node, path []step) *yaml.Node {
	for _, step := range path {
		if step.element {
			if n = step.in(n); n == nil {
				return nil
			}
			continue
		}
		if n.Kind != yaml.MappingNode {
			return nil
		}
		n = yamlnode.Mapping(n, step.key)
	}
	if n.Kind != yaml.MappingNode {
		return nil
	}
	return n
}
