package kustomization

import (
	"fmt"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

// Result is what a [Builder] builds from a directory, as texts: one process can pass it to
// another.
type Result struct {
	// Objects has the resources, in kustomize's order.
	Objects []Object
	// Steps are the configurations that the kustomizations list, in the order in which
	// kustomize runs them.
	Steps []Step
	// Missing are the generators that the build lacks. The result then has nothing else.
	Missing []Step
	// Metadata has the buildMetadata of the directory, and Order its sortOptions.
	Metadata []string
	Order    *types.SortOptions
	// Found has the warnings of kustomize.
	Found finding.List
	// Unlisted has the files in the directory that configure goldenarch and are not part
	// of the build.
	Unlisted []Unlisted
}

// Object is the text of an object, and the file that it came from.
type Object struct {
	File string
	Text []byte
}

// result builds a directory.
func (d *disk) result(dir string) (Result, error) {
	b, err := newBuild(d, dir)
	if err != nil {
		return Result{}, err
	}
	resources, err := b.run()
	if err != nil {
		return Result{}, err
	}
	list, err := objects(resources)
	return Result{Objects: list, Steps: slices.Concat(b.generators, b.steps), Metadata: b.metadata, Order: b.order}, err
}

// objects returns resources as kustomize writes them.
func objects(resources []built) ([]Object, error) {
	var out []Object
	for _, r := range resources {
		text, err := r.AsYAML()
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", r.CurId(), err)
		}
		out = append(out, Object{File: r.file, Text: text})
	}
	return out, nil
}

// built returns a result as goldenarch reads manifests.
func (r Result) built(dir string) (Built, error) {
	out := Built{Path: dir, Steps: r.Steps, Found: r.Found, Unlisted: r.Unlisted, finish: finish{r.Metadata, r.Order}}
	var err error
	out.Items, err = readAll(r.Objects, &out.Texts)
	return out, err
}

// readAll reads built objects in the form in which goldenarch reads manifests. They have
// no line numbers, because kustomize has encoded them again.
func readAll(list []Object, texts *manifest.Texts) ([]*yaml.RNode, error) {
	var out []*yaml.RNode
	places := map[string]int{}
	for _, object := range list {
		read, err := manifest.Parse(object.File, object.Text)
		if err != nil {
			return nil, err
		}
		for _, item := range read {
			if err := asBuilt(item, places[object.File]); err != nil {
				return nil, err
			}
			texts.AddBuilt(item, object.Text)
			places[object.File]++
			out = append(out, item)
		}
	}
	return out, nil
}

// asBuilt makes an item what a build has at a place of a file.
func asBuilt(item *yaml.RNode, place int) error {
	withoutLines(item.YNode())
	notes := []yaml.Filter{yaml.SetAnnotation(kioutil.IndexAnnotation, strconv.Itoa(place))}
	if value, is := item.GetAnnotations()[wasLocal]; is {
		notes = append(notes, yaml.SetAnnotation(localConfig, value), yaml.ClearAnnotation(wasLocal))
	}
	for _, note := range notes {
		if err := item.PipeE(note); err != nil {
			return fmt.Errorf("annotate %s %q: %w", item.GetKind(), item.GetName(), err)
		}
	}
	return nil
}

func withoutLines(n *yaml.Node) {
	n.Line = 0
	for _, child := range n.Content {
		withoutLines(child)
	}
}
