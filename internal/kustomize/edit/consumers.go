package edit

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Consumers says who builds the files of a tree. Several goroutines may use it.
type Consumers struct {
	tree string
	read func() *graph
	// covered are the directories that the run decides on, beside the one that is built.
	covered map[string]bool
}

// ConsumersIn returns the consumers of the files of a tree, such as a Git repository. applied
// returns what applies directories of the tree beside its kustomizations; nil is nothing. The
// tree is read when somebody asks.
func ConsumersIn(tree string, applied func(tree string) []Applied) *Consumers {
	return &Consumers{tree: tree, read: sync.OnceValue(func() *graph {
		g := graphOf(tree)
		if applied != nil {
			g.apply(applied(tree))
		}
		return g
	})}
}

// Covering returns the consumers for a run that decides on several directories: these are
// not others to each other. The caller compares what the run decides for each.
func (c *Consumers) Covering(dirs []string) *Consumers {
	out := &Consumers{tree: c.tree, read: c.read, covered: map[string]bool{}}
	for _, dir := range dirs {
		if path, err := files.Real(dir); err == nil {
			out.covered[path] = true
		}
	}
	return out
}

// Applied is a directory that something applies to a cluster.
type Applied struct {
	// Dir is the directory, absolute and without links.
	Dir string
	// Files are the files of a directory that has no kustomization.
	Files []string
	// By names what applies the directory, for messages.
	By string
	// Maybe says that nobody knows which directory it is, and that it may be this one.
	Maybe bool
}

// SharedError says that an edit of a file changes what others build, or may do so.
type SharedError struct {
	File string
	// Of is the directory that was built, and By are the others that build the file.
	Of string
	By []string
	// Unknown are those of which nobody knows whether they build it.
	Unknown []string
}

// Error implements error.
func (e *SharedError) Error() string {
	var out []string
	if len(e.By) > 0 {
		out = append(out, fmt.Sprintf("%s is built by other kustomizations, too: %s", e.File, strings.Join(e.By, ", ")))
	}
	if len(e.Unknown) > 0 {
		out = append(out, fmt.Sprintf("goldenarch does not know whether others build %s, too: %s", e.File, strings.Join(e.Unknown, "; ")))
	}
	return strings.Join(out, "; ")
}

// Of returns the covered directories that build a file, sorted.
func (c *Consumers) Of(file string) []string {
	path, err := files.Real(file)
	if err != nil {
		return nil // a new file
	}
	all := c.read().above(path, nil)
	var out []string
	for dir := range c.covered {
		if all[dir] {
			out = append(out, dir)
		}
	}
	slices.Sort(out)
	return out
}

// Others returns why a file must not change for a directory: the others that build it, or
// that may. nil is nobody. Those that build the file only as a part of a covered directory
// are no others.
func (c *Consumers) Others(dir, file string) *SharedError {
	g, through := c.read(), map[string]bool{dir: true}
	maps.Copy(through, c.covered)
	above := g.above(file, through)
	var by, unknown []string
	for _, root := range g.roots(above, through) {
		name := c.shown(root)
		if applied := g.applied[root]; len(applied) > 0 {
			name = fmt.Sprintf("%s (%s)", name, strings.Join(applied, ", "))
		}
		by = append(by, name)
	}
	base := ""
	for path := range above {
		if !through[path] && g.isDir[path] && (base == "" || path < base) {
			base = path
		}
		for _, one := range g.maybe[path] {
			if !through[path] {
				unknown = append(unknown, one)
			}
		}
	}
	for broken, why := range g.broken {
		names, said := g.named[broken]
		mayBuild := !said || slices.ContainsFunc(names, func(path string) bool { return above[path] })
		if broken != dir && mayBuild && (base != "" || files.Within(file, broken)) {
			unknown = append(unknown, fmt.Sprintf("%s (%s)", c.shown(broken), why))
		}
	}
	if len(by)+len(unknown) == 0 {
		return nil
	}
	slices.Sort(by)
	slices.Sort(unknown)
	return &SharedError{File: c.shown(file), Of: c.shown(dir), By: by, Unknown: slices.Compact(unknown)}
}

// shown returns a path for messages, relative to the tree if that is possible.
func (c *Consumers) shown(path string) string {
	if root, err := files.Real(c.tree); err == nil {
		if below, err := filepath.Rel(root, path); err == nil {
			return filepath.ToSlash(below)
		}
	}
	return path
}

// graph has the files and directories to which each kustomization of a tree refers. All
// paths are absolute and without links.
type graph struct {
	refs map[string][]string // what a directory refers to
	by   map[string][]string // the directories that refer to a file or a directory
	// isDir has the directories that are built or applied.
	isDir      map[string]bool
	components map[string]bool
	// broken has the directories that cannot be read, and why.
	broken map[string]string
	// named has the files and directories that the words of a broken kustomization name. One that is not
	// in it may name any.
	named map[string][]string
	// applied and maybe name what applies a directory, or may do so.
	applied, maybe map[string][]string

	plugins map[string]kustomize.References // of the directories that list configurations of plugins
	visits  atomic.Int64                    // of directories and files, for tests; clusters ask at once
}

// graphOf reads all kustomizations of a tree, also those in hidden directories.
func graphOf(tree string) *graph {
	g := &graph{
		refs: map[string][]string{}, by: map[string][]string{}, isDir: map[string]bool{}, components: map[string]bool{},
		broken: map[string]string{}, named: map[string][]string{}, applied: map[string][]string{}, maybe: map[string][]string{},
		plugins: map[string]kustomize.References{},
	}
	root, err := files.Real(tree)
	if err == nil {
		g.below(root)
	}
	for _, dir := range slices.Sorted(maps.Keys(g.plugins)) {
		g.addPlugins(dir)
	}
	for dir := range maps.Clone(g.refs) {
		g.addCharts(dir, root)
	}
	for dir := range g.refs {
		g.invert(dir, g.refs[dir])
	}
	return g
}

// addCharts adds the files of the directories that a kustomization names and that have none. It
// reads nothing outside of the tree: a name like "../../.." may lead to the root of the disk.
func (g *graph) addCharts(dir, root string) {
	for _, path := range g.refs[dir] {
		if _, ok := g.refs[path]; !ok && !g.isDir[path] && files.Within(path, root) && files.IsDir(path) {
			g.refs[path] = filesBelow(path)
		}
	}
}

// below reads a directory and those in it, without Git's own.
func (g *graph) below(dir string) {
	g.visits.Add(1)
	entries, err := os.ReadDir(dir)
	if err != nil {
		g.broken[dir] = "the directory cannot be read"
		return
	}
	kustomized := false
	for _, entry := range entries {
		switch {
		case entry.IsDir() && entry.Name() != ".git":
			g.below(filepath.Join(dir, entry.Name()))
		case slices.Contains(konfig.RecognizedKustomizationFileNames(), entry.Name()):
			kustomized = true
		}
	}
	if kustomized {
		g.add(dir)
	}
}

func (g *graph) add(dir string) {
	g.isDir[dir] = true
	refs := kustomize.ReferencesOf(dir)
	if refs.Broken {
		g.broken[dir] = "its kustomization cannot be read"
		if names, ok := namedIn(dir); ok {
			g.named[dir] = names
		}
		return
	}
	g.refs[dir] = slices.Concat(refs.Local, refs.Others)
	g.components[dir] = refs.Component
	if len(refs.Plugins)+len(refs.Inline) > 0 {
		g.plugins[dir] = refs
	}
}

// maxNaming is the length of the largest broken kustomization whose words goldenarch looks at.
const maxNaming = 64 << 10

// namedIn returns the files and directories that words of a kustomization name which cannot be read. It
// returns false if a template or an escape may make other names, or if there are too many words.
func namedIn(dir string) ([]string, bool) {
	var out []string
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		path := filepath.Join(dir, name)
		text := readText(path)
		if text == nil && files.Exists(path) || len(text) > maxNaming || bytes.Contains(text, []byte("{{")) || bytes.ContainsRune(text, '\\') {
			return nil, false
		}
		words := strings.FieldsFunc(string(text), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`"'[]{},=`, r) })
		out = append(out, kustomize.Located(dir, words)...)
	}
	return out, true
}

// addPlugins adds the files that configurations of generators, transformers and validators
// name. Of a plugin that is not kustomize's own nobody knows which of its fields are paths,
// so each text counts that is the path of a file. Paths are relative to the directory
// that lists the configuration, also if that is in a directory of its own (kustomize
// api/internal/target/kusttarget.go: runGenerators).
func (g *graph) addPlugins(dir string) {
	visited := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		if visited[path] {
			return
		}
		visited[path] = true
		if refs, ok := g.refs[path]; ok {
			for _, next := range refs {
				visit(next)
			}
			return
		}
		if data, err := files.Read(path); err == nil {
			g.addPlugin(dir, filepath.Dir(path), data)
		}
	}
	for _, text := range g.plugins[dir].Inline {
		g.addPlugin(dir, dir, []byte(text))
	}
	for _, path := range g.plugins[dir].Plugins {
		visit(path)
	}
}

// addPlugin adds the paths of one configuration.
func (g *graph) addPlugin(dir, at string, data []byte) {
	items, err := manifest.Parse("", data)
	if err != nil {
		g.broken[dir] = "the configuration of a generator or transformer cannot be read"
		return
	}
	for _, item := range items {
		var visit func(key string, n *yaml.Node)
		visit = func(key string, n *yaml.Node) {
			switch n.Kind {
			case yaml.ScalarNode:
				g.addPath(dir, at, key, n.Value)
			case yaml.MappingNode:
				for key, value := range yamlnode.Pairs(n) {
					visit(key.Value, value)
				}
			case yaml.SequenceNode:
				for _, one := range n.Content {
					visit(key, one)
				}
			}
		}
		visit("", item.YNode())
	}
}

// addPath adds a path that a configuration names. A directory counts only in a field for
// paths: many names of objects are those of directories, too.
func (g *graph) addPath(dir, at, key, text string) {
	if _, path, keyed := strings.Cut(text, "="); keyed {
		text = path
	}
	if text == "" || len(text) > maxPath || filepath.IsAbs(text) {
		return
	}
	for _, from := range slices.Compact([]string{dir, at}) {
		path, err := filepath.EvalSymlinks(filepath.Join(from, filepath.FromSlash(text)))
		if err != nil {
			continue
		}
		info, err := os.Stat(path)
		if err != nil || info.IsDir() && !strings.HasPrefix(key, "path") && !strings.HasPrefix(key, "file") {
			continue
		}
		g.refs[dir] = append(g.refs[dir], path)
		if info.IsDir() && !g.isDir[path] {
			g.refs[path] = filesBelow(path) // a PolicyGenerator wraps each file of a directory
		}
	}
}

// maxPath is the length of the longest path that a system accepts.
const maxPath = 4096

// filesBelow returns the files in a directory and below it.
func filesBelow(dir string) []string {
	entries, _ := os.ReadDir(dir) // one that cannot be read has none
	var out []string
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if entry.IsDir() {
			out = append(out, filesBelow(path)...)
		} else {
			out = append(out, path)
		}
	}
	return out
}

func (g *graph) invert(dir string, to []string) {
	for _, path := range to {
		if path != dir {
			g.by[path] = append(g.by[path], dir)
		}
	}
}

// apply adds what applies directories beside kustomizations.
func (g *graph) apply(all []Applied) {
	for _, one := range all {
		if one.Maybe {
			g.maybe[one.Dir] = append(g.maybe[one.Dir], one.By)
			continue
		}
		g.applied[one.Dir] = append(g.applied[one.Dir], one.By)
		if _, ok := g.refs[one.Dir]; !ok && !g.isDir[one.Dir] {
			g.refs[one.Dir] = one.Files
			g.isDir[one.Dir] = true
			g.invert(one.Dir, one.Files)
		}
	}
}

// above returns a file or directory with all directories that build it, without those that
// build it only through others.
func (g *graph) above(path string, through map[string]bool) map[string]bool {
	out := map[string]bool{path: true}
	g.follow(out, path, g.by, func(by string) bool { return !through[by] })
	return out
}

// follow adds to a set the paths to which others lead from a path on, of those that count.
func (g *graph) follow(set map[string]bool, path string, from map[string][]string, counts func(path string) bool) {
	for next := []string{path}; len(next) > 0; {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		g.visits.Add(1)
		for _, to := range from[at] {
			if counts(to) && !set[to] {
				set[to] = true
				next = append(next, to)
			}
		}
	}
}

// roots returns those of directories that are built for a cluster: the outermost ones, and
// those that something applies. Of directories that build each other it returns one. It
// leaves out the directories through, and what only these build.
func (g *graph) roots(above, through map[string]bool) []string {
	var out, inner []string
	built := map[string]bool{}
	mark := func(path string) { g.follow(built, path, g.refs, func(to string) bool { return above[to] }) }
	for path := range through {
		mark(path)
	}
	for path := range above {
		switch {
		case !g.isDir[path] || through[path]:
		case len(g.applied[path]) > 0:
			out = append(out, path)
			mark(path)
		case len(g.by[path]) > 0:
			inner = append(inner, path)
		default:
			mark(path)
			if !g.components[path] { // which nobody builds by itself
				out = append(out, path)
			}
		}
	}
	slices.Sort(inner)
	for _, path := range inner { // what is left builds itself
		if !built[path] && !g.components[path] {
			out = append(out, path)
			mark(path)
		}
	}
	slices.Sort(out)
	return out
}
