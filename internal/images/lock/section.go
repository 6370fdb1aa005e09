package lock

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// section is one of the lists of a lock.
type section struct {
	key string
	// id identifies an entry, and sorts it. It returns false if it cannot.
	id func(entry *yaml.Node) (string, bool)
	// after is the list behind which goldenarch begins this one; nil if it begins it nowhere.
	after *section
}

var images = section{key: "images", id: func(entry *yaml.Node) (string, bool) {
	ref, err := imageref.Parse(yamlnode.Text(entry, "reference"))
	if err != nil {
		return yamlnode.Text(entry, "reference"), false
	}
	return ref.String(), true
}}

var operators = section{key: "operators", after: &images, id: func(entry *yaml.Node) (string, bool) {
	return operatorID(yamlnode.Text(entry, "package"), yamlnode.Text(entry, "csv")), true
}}

// edit changes or adds an entry of a list. Without fill it removes the entry.
type edit struct {
	id   string
	fill func(entry *yaml.Node)
}

// edit returns the change as an edit of the list of images.
func (c Change) edit() edit {
	e := edit{id: c.Reference()}
	if c.Answer != nil {
		e.fill = func(entry *yaml.Node) { fill(entry, *c.Answer) }
	}
	return e
}

// editsOf returns changes as edits.
func editsOf[C interface{ edit() edit }](changes []C) []edit {
	out := make([]edit, len(changes))
	for i, c := range changes {
		out[i] = c.edit()
	}
	return out
}
