package kustomization

import (
	"fmt"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
)

const (
	localConfig = "config.kubernetes.io/local-config"
	// wasLocal represents the local-config annotation inside kustomize, which drops local
	// configuration at the end of a build (kustomize target/kusttarget.go). A transformer
	// sees local configuration, so goldenarch must see it, too: node facts and locks are
	// local configuration.
	wasLocal = "internal.goldenarch.dev/local-config"
)

// keeper is the name of keepLocal. It never appears in the output.
const keeper = "goldenarch-local-config"

// keepLocal is the transformer that replaces goldenarch as the last one in the
// kustomization. A value of "false" has no effect, and all other values have the same. A
// JSON patch that moves the annotation would do the same, and encode each object twice.
const keepLocal = `apiVersion: builtin
kind: ReplacementTransformer
metadata: {name: ` + keeper + `}
replacements:
- sourceValue: "true"
  targets:
  - select: {annotationSelector: "config.kubernetes.io/local-config,config.kubernetes.io/local-config!=false"}
    fieldPaths: ["metadata.annotations.[internal.goldenarch.dev/local-config]"]
    options: {create: true}
- sourceValue: "false"
  targets:
  - select: {annotationSelector: internal.goldenarch.dev/local-config}
    fieldPaths: ["metadata.annotations.[config.kubernetes.io/local-config]"]
    options: {create: true}
`

// items returns resources in the form in which goldenarch reads manifests. They have no
// line numbers, because kustomize has encoded them again.
func (b *build) items(resources []built) ([]*yaml.RNode, error) {
	var out []*yaml.RNode
	places := map[string]int{}
	for _, r := range resources {
		text, err := r.AsYAML()
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", r.CurId(), err)
		}
		read, err := manifest.Parse(r.file, text)
		if err != nil {
			return nil, err
		}
		for _, item := range read {
			withoutLines(item.YNode())
			notes := []yaml.Filter{yaml.SetAnnotation(kioutil.IndexAnnotation, strconv.Itoa(places[r.file]))}
			if value, is := item.GetAnnotations()[wasLocal]; is {
				notes = append(notes, yaml.SetAnnotation(localConfig, value), yaml.ClearAnnotation(wasLocal))
			}
			for _, note := range notes {
				if err := item.PipeE(note); err != nil {
					return nil, fmt.Errorf("annotate %s: %w", r.CurId(), err)
				}
			}
			b.texts.AddBuilt(item, text)
			places[r.file]++
			out = append(out, item)
		}
	}
	return out, nil
}

func withoutLines(n *yaml.Node) {
	n.Line = 0
	for _, child := range n.Content {
		withoutLines(child)
	}
}
