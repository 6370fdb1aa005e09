package kustomization

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

// listing is the result of the build of a directory of configurations.
type listing struct {
	items []*yaml.RNode
	files []string // of each item
	err   error
}

// directory builds a directory of configurations separately. Every step on the way down to
// it needs the result, so directory builds it once and caches it. It returns new items
// each time, because the caller changes them.
func (b *build) directory(dir string) ([]*yaml.RNode, error) {
	l, known := b.notes.built[dir]
	if !known {
		l = b.list(dir)
		b.notes.built[dir] = l
	}
	items := make([]*yaml.RNode, len(l.items))
	for i, item := range l.items {
		items[i] = item.Copy()
		b.files[items[i]] = l.files[i]
		if err := items[i].PipeE(yaml.SetAnnotation(kioutil.PathAnnotation, b.shown(dir))); err != nil {
			return nil, err
		}
	}
	return items, l.err
}

// maxChain is how deep directories of configurations may be nested.
const maxChain = 32

var errChain = fmt.Errorf("configurations are built from configurations in more than %d steps: list them closer to where they are used", maxChain)

func (b *build) list(dir string) listing {
	inner := &build{
		FileSystem: b.FileSystem,
		notes:      b.notes,
		given:      dir,
		ofList:     true,
		places:     map[string]string{},
		files:      map[*yaml.RNode]string{},
		chain:      append(slices.Clone(b.chain), dir),
	}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(inner, dir)
	if err != nil {
		return listing{err: err}
	}
	list, err := inner.traced(resources)
	if err != nil {
		return listing{err: err}
	}
	files := make([]string, len(list))
	for i := range list {
		files[i] = list[i].file
		list[i].file = dir // the name depends on the directory that refers to it
	}
	texts, err := objects(list)
	if err != nil {
		return listing{err: err}
	}
	items, err := readAll(texts, &manifest.Texts{})
	return listing{items: items, files: files, err: err}
}
