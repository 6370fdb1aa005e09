package kustomization

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
		if path, err := realDir(dir); err == nil {
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
	path, err := realDir(file)
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
		if broken != dir && (base != "" || within(file, broken)) {
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

// within reports whether a path is in a directory.
func within(path, dir string) bool {
	below, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(below)
}

// shown returns a path for messages.
func (c *Consumers) shown(path string) string { return relativeTo(c.tree, path) }
