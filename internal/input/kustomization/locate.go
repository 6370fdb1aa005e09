package kustomization

import (
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/yamledit"
)

// Located returns the findings about built objects with the file and the line that set
// their field: in the file of the object, or in a patch. It finds a template by its name,
// because a patch can change the order. A build has no lines, but a pull request shows a
// finding only at a line.
func Located(builds []Built, list finding.List) finding.List {
	return new(Session).Located(builds, list)
}

// itemOf returns the item that an object is, or that the object is in; nil if there is
// none.
func (b Built) itemOf(o finding.Object) *yaml.RNode {
	var out *yaml.RNode
	for _, item := range b.Items {
		if file, index := object.Place(item); file != o.File || index != o.Index {
			continue
		}
		if out == nil || item.GetKind() == o.Kind && item.GetName() == o.Name {
			out = item
		}
	}
	return out
}

// locator keeps what it has read.
type locator struct {
	session   *Session
	fragments map[string][]fragment
	built     map[*yaml.RNode]*yaml.Node
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
	if _, known := l.fragments[root]; !known {
		collect := fragmentsOf{session: l.session, root: root, visited: map[string]bool{}}
		l.fragments[root] = collect.in(root)
	}
	shown := func(file string) string {
		below, err := filepath.Rel(root, file)
		if err != nil {
			return file
		}
		return filepath.ToSlash(filepath.Join(b.Path, below))
	}
	at, line := nearest(relevant(l.fragments[root], item, func(file string) bool { return shown(file) == filepath.ToSlash(filepath.Clean(f.Object.File)) }),
		built, f.Field)
	if line == 0 {
		return f
	}
	f.Line = line
	if file := shown(at.file); file != filepath.ToSlash(filepath.Clean(f.Object.File)) {
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

// relevant returns the fragments that can set fields of an item: the object in its file,
// and the patches for it.
func relevant(all []fragment, item *yaml.RNode, ofItem func(file string) bool) []fragment {
	gvk := resid.GvkFromNode(item)
	sameKind := func(x fragment) bool { return x.gvk.Kind == gvk.Kind && x.gvk.Group == gvk.Group }
	objects := slices.DeleteFunc(slices.Clone(all), func(x fragment) bool { return !x.object || !sameKind(x) || !ofItem(x.file) })
	if named := slices.DeleteFunc(slices.Clone(objects), func(x fragment) bool { return x.names[0] != item.GetName() }); len(named) > 0 {
		objects = named // otherwise a prefix or suffix changes the name
	}
	names := []string{item.GetName()}
	for _, x := range objects {
		names = append(names, x.names...)
	}
	var out []fragment
	for _, x := range all {
		switch {
		case x.object:
		case x.target != nil:
			if x.target.MatchGvk(gvk) && slices.ContainsFunc(names, x.target.MatchName) {
				out = append(out, x)
			}
		case x.at == nil && sameKind(x) && slices.Contains(names, x.names[0]):
			out = append(out, x)
		}
	}
	return append(out, objects...)
}

// nearest returns the fragment that sets a field, and its line; 0 if no fragment does. If
// none sets the field, it takes the nearest parent.
func nearest(all []fragment, built *yaml.Node, field string) (fragment, int) {
	steps, values := stepsTo(built, field)
	for n := len(steps); n >= 0; n-- {
		var found []fragment
		var lines []int
		for _, x := range all {
			value, line := x.value(steps[:n])
			switch {
			case value == nil:
			case n > 0 && yamledit.Same(value, values[n]):
				return x, line // nothing changes it afterwards
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
			return found[0], lines[0]
		}
		return found[len(found)-1], lines[len(lines)-1]
	}
	return fragment{}, 0
}
