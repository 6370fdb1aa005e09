package edit

import (
	"cmp"
	"path/filepath"
	"slices"
	"sync"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Session keeps the files in which findings about the directories of one repository are located: it
// reads and parses them once. Several goroutines may use a Session. The zero value is ready for use.
type Session struct {
	mu     sync.Mutex
	shared map[string]func() sharedSource // by path, absolute and without links
}

// sharedSource is what a file or a directory with a kustomization has.
type sharedSource struct {
	file      *sourceFile // of a file
	directory directoryOf // of a directory
}

// directoryOf is what the kustomization of a directory has.
type directoryOf struct {
	k   types.Kustomization
	own []fragment // the patches, from last to first
}

// Located returns the findings about built objects with the file and the line that set
// their field: in the file of the object, or in a patch. It finds a template by its name,
// because a patch can change the order. A build has no lines, but a pull request shows a
// finding only at a line.
func (s *Session) Located(builds []kustomize.Built, list finding.List) finding.List {
	out := slices.Clone(list)
	l := newLocator(s, builds)
	var all []builtObject
	for i, f := range out {
		if f.Line > 0 || f.Object.File == "" {
			continue
		}
		for at, b := range builds {
			if item := l.items[at].Item(f.Object); item != nil {
				l.read(b)
				if l.built[item] == nil {
					l.built[item] = sync.OnceValue(func() *yaml.Node { return asGiven(b, item) })
				}
				all = append(all, builtObject{i, b, item})
				break
			}
		}
	}
	parallel.Each(len(all), func(i int) {
		of := all[i]
		out[of.finding] = l.locate(of.build, of.item, out[of.finding])
	})
	return out
}

// builtObject is the built object that a finding is about.
type builtObject struct {
	finding int
	build   kustomize.Built
	item    *yaml.RNode
}

// source returns what a file or a directory has. Files below the root are those of one
// cluster, which nobody shares, so source does not keep them.
func (s *Session) source(root, path string, read func() sharedSource) sharedSource {
	if files.Within(path, root) {
		return read()
	}
	s.mu.Lock()
	if s.shared == nil {
		s.shared = map[string]func() sharedSource{}
	}
	once := s.shared[path]
	if once == nil {
		once = sync.OnceValue(read)
		s.shared[path] = once
	}
	s.mu.Unlock()
	return once()
}

// locator finds the places of findings in what it has read.
type locator struct {
	session   *Session
	items     []object.Index                    // of each build
	fragments map[string]*fragmentIndex         // by the path of the build; nil if its directory is gone
	built     map[*yaml.RNode]func() *yaml.Node // the items as the build gave them
}

func newLocator(s *Session, builds []kustomize.Built) *locator {
	out := &locator{session: s, fragments: map[string]*fragmentIndex{}, built: map[*yaml.RNode]func() *yaml.Node{}}
	for _, b := range builds {
		out.items = append(out.items, object.NewIndex(b.Items))
	}
	return out
}

func (l *locator) locate(b kustomize.Built, item *yaml.RNode, f finding.Finding) finding.Finding {
	index, field := l.fragments[b.Path], cmp.Or(f.Cause, f.Field)
	if index == nil {
		return f
	}
	built := l.built[item]()
	if built == nil {
		return f
	}
	at, line, exact := nearest(index.relevant(item, f.Object.File), built, field)
	if !exact {
		if set, ok := index.imageEntry(built, field); ok {
			at, line = set, set.line(set.node)
		}
	}
	if line == 0 {
		return f
	}
	f.Line = line
	if file := index.shown[at.path]; file != filepath.ToSlash(filepath.Clean(f.Object.File)) {
		f.File = file
	}
	return f
}

// read reads the fragments of a build.
func (l *locator) read(b kustomize.Built) {
	if _, known := l.fragments[b.Path]; known {
		return
	}
	l.fragments[b.Path] = nil
	if root, err := files.Real(b.Path); err == nil {
		l.fragments[b.Path] = fragmentIndexOf(l.session, b.Path, root)
	}
}

// asGiven reads an object as the build gave it, before goldenarch changed it.
func asGiven(b kustomize.Built, item *yaml.RNode) *yaml.Node {
	if before, changed := b.Texts.Before(item); changed {
		return yamlNode([]byte(before))
	}
	return item.YNode() // also of a listed configuration, which no run changes
}

// nearest returns the fragment that sets a field, and its line; 0 if no fragment does. If
// none sets the field, it takes the nearest parent.
func nearest(all []fragment, built *yaml.Node, field string) (of fragment, line int, exact bool) {
	steps, values := stepsTo(built, field)
	for n := len(steps); n >= 0; n-- {
		var found []fragment
		var lines []int
		for _, x := range all {
			value, line := x.value(steps[:n])
			switch {
			case value == nil:
			case n > 0 && yamlnode.Same(value, values[n]):
				return x, line, n == len(steps) // nothing changes it afterwards
			default:
				found, lines = append(found, x), append(lines, line)
			}
		}
		if len(found) == 0 {
			continue
		}
		// Several fragments set parts of a mapping, and the object has most of it. The last
		// patch of a list replaces all of it.
		if slices.ContainsFunc(steps[:n], func(s step) bool { return s.element }) {
			return found[0], lines[0], false
		}
		return found[len(found)-1], lines[len(lines)-1], false
	}
	return fragment{}, 0, false
}
