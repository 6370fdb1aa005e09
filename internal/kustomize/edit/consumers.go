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
	read func() *graph
	// covered are the directories that the run decides on, beside the one that is built.
	covered map[string]bool
}

// ConsumersIn returns the consumers of the files of a tree, such as a Git repository. applied
// returns what applies directories of the tree beside its kustomizations; nil is nothing. The
// tree is read when somebody asks.
func ConsumersIn(tree string, applied func(tree string) []Applied) *Consumers {
	return &Consumers{read: sync.OnceValue(func() *graph {
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
	out := &Consumers{read: c.read, covered: map[string]bool{}}
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
	above := c.read().above(path, nil)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c.covered)), func(dir string) bool { return !above[dir] })
}

// Others returns why a file must not change for a directory: the others that build it, or
// that may. nil is nobody. Those that build the file only as a part of a covered directory
// are no others.
func (c *Consumers) Others(dir, file string) *SharedError {
	g, through := c.read(), map[string]bool{dir: true}
	maps.Copy(through, c.covered)
	above := g.above(file, through)
	var by, unknown []string
	isPart := false // of what can be built beside the directory
	for path := range above {
		d := g.dirs[path]
		if d == nil || through[path] {
			continue
		}
		isPart, unknown = true, append(unknown, d.maybe...)
		switch {
		case len(d.applied) > 0:
			by = append(by, fmt.Sprintf("%s (%s)", c.shown(path), strings.Join(d.applied, ", ")))
		case len(g.by[path]) == 0 && !d.component: // nobody builds a component by itself
			by = append(by, c.shown(path))
		}
	}
	for path, d := range g.dirs {
		mayName := d.mayNameAny || slices.ContainsFunc(d.named, func(path string) bool { return above[path] })
		if d.broken != "" && path != dir && mayName && (isPart || files.Within(file, path)) {
			unknown = append(unknown, fmt.Sprintf("%s (%s)", c.shown(path), d.broken))
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
	if below, err := filepath.Rel(c.read().root, path); err == nil {
		return filepath.ToSlash(below)
	}
	return path
}

// graph says who refers to the files and directories of a tree. All paths are absolute and
// without links.
type graph struct {
	root string
	dirs map[string]*directory // that are built or applied, or cannot be read
	by   map[string][]string   // the directories that refer to a file or a directory
}

// directory is one that is built or applied.
type directory struct {
	refs      []string // what its kustomization refers to
	component bool
	// applied and maybe name what applies it, or may do so.
	applied, maybe []string
	// broken says why it cannot be read. named has the files and directories that the words of its
	// kustomization name then, unless these may name any.
	broken     string
	named      []string
	mayNameAny bool
}

// graphOf reads all kustomizations of a tree, also those in hidden directories.
func graphOf(tree string) *graph {
	g := &graph{dirs: map[string]*directory{}, by: map[string][]string{}}
	root, err := files.Real(tree)
	if err != nil {
		return g
	}
	g.root = root
	plugins := map[string]kustomize.References{}
	walk(root, func(dir string, entries []os.DirEntry, err error) {
		isKustomization := func(entry os.DirEntry) bool {
			return !entry.IsDir() && slices.Contains(konfig.RecognizedKustomizationFileNames(), entry.Name())
		}
		switch {
		case err != nil:
			g.dirs[dir] = &directory{broken: "the directory cannot be read", mayNameAny: true}
		case slices.ContainsFunc(entries, isKustomization):
			refs := kustomize.ReferencesOf(dir)
			g.dirs[dir] = directoryWith(dir, refs)
			if len(refs.Plugins)+len(refs.Inline) > 0 {
				plugins[dir] = refs
			}
		}
	})
	for dir, refs := range plugins {
		g.addPlugins(dir, refs)
	}
	for dir, d := range g.dirs {
		g.add(dir, d.refs)
	}
	return g
}

// directoryWith returns a directory with the references of its kustomization.
func directoryWith(dir string, refs kustomize.References) *directory {
	if !refs.Broken {
		return &directory{refs: slices.Concat(refs.Local, refs.Others), component: refs.Component}
	}
	names, ok := namedIn(dir)
	return &directory{broken: "its kustomization cannot be read", named: names, mayNameAny: !ok}
}

// add adds what a directory refers to. Of one without a kustomization, such as a chart, that is each
// file. A name like "../../.." may lead to the root of the disk, so only those of the tree count.
func (g *graph) add(dir string, refs []string) {
	for _, path := range refs {
		isNew := len(g.by[path]) == 0
		if path != dir {
			g.by[path] = append(g.by[path], dir)
		}
		if !isNew || g.dirs[path] != nil || !files.Within(path, g.root) || !files.IsDir(path) {
			continue
		}
		walk(path, func(inside string, entries []os.DirEntry, _ error) { // what cannot be read has no files
			for _, entry := range entries {
				if file := filepath.Join(inside, entry.Name()); !entry.IsDir() {
					g.by[file] = append(g.by[file], path)
				}
			}
		})
	}
}

// walk visits a directory and those below it, without Git's own.
func walk(dir string, visit func(dir string, entries []os.DirEntry, err error)) {
	entries, err := os.ReadDir(dir)
	visit(dir, entries, err)
	for _, entry := range entries {
		if entry.IsDir() && entry.Name() != ".git" {
			walk(filepath.Join(dir, entry.Name()), visit)
		}
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
func (g *graph) addPlugins(dir string, refs kustomize.References) {
	for _, text := range refs.Inline {
		g.addPlugin(dir, []byte(text))
	}
	paths := slices.Clone(refs.Plugins)
	for i := 0; i < len(paths); i++ {
		if d := g.dirs[paths[i]]; d != nil {
			for _, next := range d.refs {
				if !slices.Contains(paths, next) {
					paths = append(paths, next)
				}
			}
		} else if data, err := files.Read(paths[i]); err == nil {
			g.addPlugin(dir, data)
		}
	}
}

// addPlugin adds the paths of one configuration.
func (g *graph) addPlugin(dir string, data []byte) {
	d := g.dirs[dir]
	items, err := manifest.Parse("", data)
	if err != nil {
		d.broken, d.mayNameAny = "the configuration of a generator or transformer cannot be read", true
		return
	}
	var visit func(key string, n *yaml.Node)
	visit = func(key string, n *yaml.Node) {
		switch n.Kind {
		case yaml.ScalarNode:
			if path, ok := pathIn(dir, key, n.Value); ok {
				d.refs = append(d.refs, path)
			}
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
	for _, item := range items {
		visit("", item.YNode())
	}
}

// pathIn returns the path that a text of a configuration is. A directory counts only in a field for
// paths: many names of objects are those of directories, too.
func pathIn(dir, key, text string) (string, bool) {
	if _, path, keyed := strings.Cut(text, "="); keyed {
		text = path
	}
	if text == "" || filepath.IsAbs(text) {
		return "", false
	}
	path, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(text)))
	return path, err == nil && (!files.IsDir(path) || strings.HasPrefix(key, "path") || strings.HasPrefix(key, "file"))
}

// apply adds what applies directories beside kustomizations.
func (g *graph) apply(all []Applied) {
	for _, one := range all {
		d := g.dirs[one.Dir]
		if d == nil {
			d = &directory{}
			g.dirs[one.Dir] = d
			g.add(one.Dir, one.Files)
		}
		if one.Maybe {
			d.maybe = append(d.maybe, one.By)
		} else {
			d.applied = append(d.applied, one.By)
		}
	}
}

// above returns a file or directory with all directories that build it, without those that
// build it only through others.
func (g *graph) above(path string, through map[string]bool) map[string]bool {
	out := map[string]bool{path: true}
	for next := []string{path}; len(next) > 0; {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		for _, by := range g.by[at] {
			if !through[by] && !out[by] {
				out[by] = true
				next = append(next, by)
			}
		}
	}
	return out
}
