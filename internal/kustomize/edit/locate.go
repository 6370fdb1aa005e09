package edit

import (
	"cmp"
	"path/filepath"
	"slices"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Session keeps the files in which findings about the directories of one repository are located: it
// reads and parses them once. Several goroutines may use a Session. The zero value is ready for use.
type Session struct {
	files sync.Map // func() *sourceFile by path, absolute and without links
}

// file returns what a file has, and reads it once.
func (s *Session) file(path string, read func() *sourceFile) *sourceFile {
	once, _ := s.files.LoadOrStore(path, sync.OnceValue(read))
	return once.(func() *sourceFile)() //nolint:forcetypeassert // nothing else is stored
}

// Located returns the findings about built objects with the file and the line that set
// their field: in the file of the object, or in a patch. It finds a template by its name,
// because a patch can change the order. A build has no lines, but a pull request shows a
// finding only at a line.
func (s *Session) Located(builds []kustomize.Built, list finding.List) finding.List {
	out := slices.Clone(list)
	var all []*locator
	for _, b := range builds {
		all = append(all, &locator{Built: b, session: s, index: object.NewIndex(b.Items), objects: map[*yaml.RNode]builtObject{}})
	}
	for i, f := range out {
		if f.Line > 0 || f.Object.File == "" {
			continue
		}
		for _, l := range all {
			if item := l.index.Item(f.Object); item != nil {
				out[i] = l.locate(item, f)
				break
			}
		}
	}
	return out
}

// locator finds the places of findings about the objects of a build.
type locator struct {
	kustomize.Built

	session   *Session
	index     object.Index
	fragments *fragments // nil before the first finding, and if the directory is gone
	objects   map[*yaml.RNode]builtObject
}

// builtObject is an object as the build gave it, with what can have set its fields.
type builtObject struct {
	node      *yaml.Node // nil if nobody knows it
	fragments []fragment
}

// object returns an object as the build gave it, before goldenarch changed it.
func (l *locator) object(item *yaml.RNode) builtObject {
	if known, ok := l.objects[item]; ok {
		return known
	}
	if l.fragments == nil {
		if root, err := files.Real(l.Path); err == nil {
			l.fragments = fragmentsOf(l.session, l.Path, root)
		}
	}
	out := builtObject{node: item.YNode()} // also of a listed configuration, which no run changes
	if before, changed := l.Texts.Before(item); changed {
		out.node = yamlNode([]byte(before))
	}
	if l.fragments == nil {
		out.node = nil
	} else {
		out.fragments = l.fragments.relevant(item)
	}
	l.objects[item] = out
	return out
}

func (l *locator) locate(item *yaml.RNode, f finding.Finding) finding.Finding {
	of := l.object(item)
	if of.node == nil {
		return f
	}
	steps, values := stepsTo(of.node, cmp.Or(f.Cause, f.Field))
	path, line, exact := nearest(of.fragments, steps, values)
	if last := values[len(values)-1]; !exact && last.Kind == yaml.ScalarNode {
		if i := slices.IndexFunc(l.fragments.images, func(e imageEntry) bool { return e.sets(last.Value) }); i >= 0 {
			path, line = l.fragments.images[i].path, l.fragments.images[i].line
		}
	}
	if line == 0 {
		return f
	}
	f.Line = line
	if file := l.fragments.shown(path); file != filepath.ToSlash(filepath.Clean(f.Object.File)) {
		f.File = file
	}
	return f
}

// nearest returns the file and the line that set the last of the values on the way to a field; 0 if
// none does. If no fragment sets that, it takes the nearest parent.
func nearest(all []fragment, steps []step, values []*yaml.Node) (path string, line int, exact bool) {
	for n := len(steps); n >= 0; n-- {
		var found []fragment
		var lines []int
		for _, x := range all {
			value, line := x.find(steps[:n])
			switch {
			case value == nil:
			case n > 0 && yamlnode.Same(value, values[n]):
				return x.path, line, n == len(steps) // nothing changes it afterwards
			default:
				found, lines = append(found, x), append(lines, line)
			}
		}
		if len(found) == 0 {
			continue
		}
		// Several fragments set parts of a mapping, and the object has most of it. The last
		// patch of a list replaces all of it.
		at := len(found) - 1
		if slices.ContainsFunc(steps[:n], func(s step) bool { return s.element }) {
			at = 0
		}
		return found[at].path, lines[at], false
	}
	return "", 0, false
}
