package kustomization

import (
	"cmp"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Located returns the findings about built objects with the file and the line that set
// their field: in the file of the object, or in a patch. It finds a template by its name,
// because a patch can change the order. A build has no lines, but a pull request shows a
// finding only at a line.
func Located(builds []Built, list finding.List) finding.List {
	return new(Session).Located(builds, list)
}

// locator finds the places of findings. It keeps what it has read.
type locator struct {
	session   *Session
	items     []object.Index            // of each build
	fragments map[string]*fragmentIndex // by the path of the build
	built     map[*yaml.RNode]*yaml.Node
}

func newLocator(s *Session, builds []Built) *locator {
	out := &locator{session: s, fragments: map[string]*fragmentIndex{}, built: map[*yaml.RNode]*yaml.Node{}}
	for _, b := range builds {
		out.items = append(out.items, object.NewIndex(b.Items))
	}
	return out
}

func (l *locator) locate(b Built, item *yaml.RNode, f finding.Finding) finding.Finding {
	root, err := realDir(b.Path)
	if err != nil {
		return f
	}
	built := l.asBuilt(b, item)
	if built == nil {
		return f
	}
	index := l.fragments[b.Path]
	if index == nil {
		collect := fragmentsOf{session: l.session, root: root, visited: map[string]bool{}}
		index = newFragmentIndex(b.Path, root, collect.in(root))
		l.fragments[b.Path] = index
	}
	at, line, exact := nearest(index.relevant(item, f.Object.File), built, cmp.Or(f.Cause, f.Field))
	if !exact {
		if set, is := index.imageEntry(built, cmp.Or(f.Cause, f.Field)); is {
			at, line = set, set.line(set.node)
		}
	}
	if line == 0 {
		return f
	}
	f.Line = line
	if file := index.shown[at.file]; file != filepath.ToSlash(filepath.Clean(f.Object.File)) {
		f.File = file
	}
	return f
}

// asBuilt returns an item as the build gave it, before goldenarch changed it.
func (l *locator) asBuilt(b Built, item *yaml.RNode) *yaml.Node {
	if n, known := l.built[item]; known {
		return n
	}
	before, after, err := b.Texts.Body(item)
	switch {
	case err == nil && before == after:
		l.built[item] = item.YNode() // or a listed configuration, which no run changes
	case err != nil || before == "":
		l.built[item] = yamlNode([]byte(item.MustString()))
	default:
		l.built[item] = yamlNode([]byte(before))
	}
	return l.built[item]
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

// imageEntry returns the entry of images that sets a field.
func (x *fragmentIndex) imageEntry(built *yaml.Node, field string) (fragment, bool) {
	_, values := stepsTo(built, field)
	if len(values) == 0 || values[len(values)-1] == nil || values[len(values)-1].Kind != yaml.ScalarNode {
		return fragment{}, false
	}
	for _, entry := range x.images {
		if entry.sets(values[len(values)-1].Value) {
			return entry, true
		}
	}
	return fragment{}, false
}
