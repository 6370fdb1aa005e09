package kustomization

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamledit"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// ErrNoPlace is the error for a field that no editable file sets.
var ErrNoPlace = errors.New("no file that goldenarch can edit sets this field: a transformer, a replacement, a generator or a JSON patch may do it")

// SharedError says that other directories also build the file with a field.
type SharedError struct {
	File string
	// Of is the directory that was built, and By are the others that build the file.
	Of string
	By []string
}

// Error implements error.
func (e *SharedError) Error() string {
	return fmt.Sprintf("%s is built by other kustomizations, too: %s", e.File, strings.Join(e.By, ", "))
}

// placer writes the changes of an object into the files that contain it.
type placer struct {
	carriers []carrier // in order of precedence, the object itself last
	// sharers returns the other directories that build a file.
	sharers func(file string) []string
	of      string                   // the directory that was built
	shown   func(file string) string // for messages
	changed map[*sourceFile]bool
}

// place writes the differences below a path. Both nodes are mappings.
func (p *placer) place(path []string, before, after *yaml.Node) error {
	for i := 0; i+1 < len(after.Content); i += 2 {
		key, value := after.Content[i].Value, after.Content[i+1]
		at := slices.Concat(path, []string{key})
		j := yamlnode.Field(before, key)
		switch {
		case j < 0:
			if err := p.add(at, value); err != nil {
				return err
			}
		case yamledit.Same(before.Content[j], value):
		case before.Content[j].Kind == yaml.MappingNode && value.Kind == yaml.MappingNode && len(before.Content[j].Content) > 0:
			if err := p.place(at, before.Content[j], value); err != nil {
				return err
			}
		default:
			if err := p.set(at, before.Content[j], value); err != nil {
				return err
			}
		}
	}
	for i := 0; i+1 < len(before.Content); i += 2 {
		key := before.Content[i].Value
		if yamlnode.Field(after, key) >= 0 {
			continue
		}
		if err := p.set(slices.Concat(path, []string{key}), before.Content[i+1], nil); err != nil {
			return err
		}
	}
	return nil
}

// set changes a value in the file that sets it. If the new value is nil, set removes it.
func (p *placer) set(path []string, before, after *yaml.Node) error {
	for _, c := range p.carriers {
		parent := parentOf(c.object, path)
		i := yamlnode.Field(parent, path[len(path)-1])
		if i < 0 {
			continue
		}
		if !yamledit.Same(parent.Content[i], before) {
			break // something changes the value afterwards
		}
		if by := p.sharers(c.sharedWith()); len(by) > 0 {
			return &SharedError{File: p.shown(c.path), Of: p.shown(p.of), By: by}
		}
		p.changed[c.sourceFile] = true
		if after == nil {
			yamlnode.Remove(parent, path[len(path)-1])
			return nil
		}
		replaceNode(parent, i, after)
		return nil
	}
	return fmt.Errorf("%s: %w", strings.Join(path, "."), ErrNoPlace)
}

// add writes a value that no file sets yet. It writes into the file of the object, or, if
// other directories share that file, into a patch that only this directory uses.
func (p *placer) add(path []string, value *yaml.Node) error {
	if len(p.carriers) == 0 {
		return fmt.Errorf("%s: %w", strings.Join(path, "."), ErrNoPlace)
	}
	self := p.carriers[len(p.carriers)-1]
	by := p.sharers(self.sharedWith())
	for i := 0; len(by) > 0 && i < len(p.carriers); i++ {
		if c := p.carriers[i]; len(p.sharers(c.sharedWith())) == 0 {
			self, by = c, nil
		}
	}
	if len(by) > 0 {
		return &SharedError{File: p.shown(self.path), Of: p.shown(p.of), By: by}
	}
	p.changed[self.sourceFile] = true
	parent := yamlnode.Mapping(self.object.YNode(), path[:len(path)-1]...)
	if i := yamlnode.Field(parent, path[len(path)-1]); i >= 0 {
		replaceNode(parent, i, value)
		return nil
	}
	if len(parent.Content) == 0 {
		parent.Style = 0
	}
	parent.Content = append(parent.Content, yamlnode.NewScalar(path[len(path)-1], yaml.NodeTagString, 0), yaml.CopyYNode(value))
	return nil
}

// replaceNode replaces a value. The parts that are equal in both values keep their form,
// because kustomize has sorted the fields of the built object.
func replaceNode(parent *yaml.Node, i int, value *yaml.Node) {
	old := parent.Content[i]
	switch {
	case yamledit.Same(old, value):
	case old.Kind == yaml.MappingNode && value.Kind == yaml.MappingNode && len(old.Content) > 0:
		replaceFields(old, value)
	case old.Kind == yaml.SequenceNode && value.Kind == yaml.SequenceNode && len(old.Content) > 0 && sameNames(old.Content, value.Content):
		for j, element := range value.Content {
			if j < len(old.Content) {
				replaceNode(old, j, element)
			} else {
				old.Content = append(old.Content, yaml.CopyYNode(element))
			}
		}
	default:
		out := yaml.CopyYNode(value)
		if old.Kind == yaml.ScalarNode && out.Kind == yaml.ScalarNode && old.Tag == out.Tag {
			out.Style = old.Style
		}
		parent.Content[i] = out
	}
}

func replaceFields(old, value *yaml.Node) {
	for i := 0; i+1 < len(value.Content); i += 2 {
		if j := yamlnode.Field(old, value.Content[i].Value); j >= 0 {
			replaceNode(old, j, value.Content[i+1])
		} else {
			old.Content = append(old.Content, yaml.CopyYNode(value.Content[i]), yaml.CopyYNode(value.Content[i+1]))
		}
	}
	for i := len(old.Content) - 2; i >= 0; i -= 2 {
		if key := old.Content[i].Value; yamlnode.Field(value, key) < 0 {
			yamlnode.Remove(old, key)
		}
	}
}

// sameNames reports whether a list begins with the elements of another, compared by name.
func sameNames(old, value []*yaml.Node) bool {
	if len(value) < len(old) {
		return false
	}
	for i := range old {
		if nodeName(old[i]) != nodeName(value[i]) {
			return false
		}
	}
	return true
}

// nodeName returns the name of an element, or "" if it has none.
func nodeName(n *yaml.Node) string {
	for _, path := range [][]string{{"metadata", "name"}, {"name"}, {"key"}} {
		if name := yamlnode.Lookup(n, path); name != nil {
			return name.Value
		}
	}
	return ""
}

// parentOf returns the mapping with the last key of a path, or nil if there is no mapping.
func parentOf(object *yaml.RNode, path []string) *yaml.Node {
	n := yamlnode.Lookup(object.YNode(), path[:len(path)-1])
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	return n
}
