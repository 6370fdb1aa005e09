package kustomization

import (
	"fmt"
	"path/filepath"
	"strconv"

	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/manifest"
)

const (
	localConfig = "config.kubernetes.io/local-config"
	// wasLocal stands for localConfig on the way out of kustomize, which drops
	// local configuration at the end of a build (kustomize
	// target/kusttarget.go). A transformer sees it, and so must goldenarch: node
	// facts and locks are local configuration.
	wasLocal = "goldenarch.dev/local-config"
)

// keepLocal is the transformer that takes goldenarch's place, as the last one.
const keepLocal = `apiVersion: builtin
kind: PatchTransformer
metadata: {name: goldenarch-local-config}
target: {annotationSelector: config.kubernetes.io/local-config}
patch: |-
  - op: move
    from: /metadata/annotations/config.kubernetes.io~1local-config
    path: /metadata/annotations/goldenarch.dev~1local-config
`

// built is a resource with the file it came from.
type built struct {
	*resource.Resource

	file string
}

// withoutOrigins takes the files off resources that the user has not asked to
// have there.
func (b *build) withoutOrigins(all resmap.ResMap) ([]built, error) {
	var out []built
	for _, r := range all.Resources() {
		origin, err := r.GetOrigin()
		if err != nil {
			return nil, fmt.Errorf("read the origin of %s: %w", r.CurId(), err)
		}
		file := b.given
		if origin != nil && origin.Repo == "" && origin.Path+origin.ConfiguredIn != "" {
			file = filepath.Join(file, origin.Path+origin.ConfiguredIn) // it has one of them
		}
		out = append(out, built{Resource: r, file: filepath.ToSlash(file)})
	}
	if b.tracked {
		return out, nil
	}
	return out, all.RemoveOriginAnnotations() //nolint:wrapcheck // it says what failed
}

// items returns resources as goldenarch reads manifests. They have no lines:
// kustomize has written them anew.
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
			return nil, err //nolint:wrapcheck // it names the file
		}
		for _, item := range read {
			withoutLines(item.YNode())
			annotations := item.GetAnnotations()
			annotations[kioutil.IndexAnnotation] = strconv.Itoa(places[r.file])
			if value, is := annotations[wasLocal]; is {
				delete(annotations, wasLocal)
				annotations[localConfig] = value
			}
			if err := item.SetAnnotations(annotations); err != nil {
				return nil, fmt.Errorf("annotate %s: %w", r.CurId(), err)
			}
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
