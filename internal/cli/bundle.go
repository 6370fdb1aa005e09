package cli

import (
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/regular"
)

// The file that identifies a directory as a bundle of the Operator Lifecycle Manager,
// and the annotations in it (operator-registry docs/design/operator-bundle.md).
const (
	bundleFile      = "metadata/annotations.yaml"
	bundleMediaType = "operators.operatorframework.io.bundle.mediatype.v1"
	bundleManifests = "operators.operatorframework.io.bundle.manifests.v1"
)

// manifestsOfBundle returns the directory with the manifests of a bundle, and whether a
// directory is a bundle.
func manifestsOfBundle(dir string) (string, bool) {
	data, err := regular.Read(filepath.Join(dir, filepath.FromSlash(bundleFile)))
	if err != nil {
		return "", false
	}
	node, err := yaml.Parse(string(data))
	if err != nil {
		return "", false
	}
	annotations, err := node.Pipe(yaml.Lookup("annotations"))
	if err != nil || annotations == nil {
		return "", false
	}
	text := func(key string) string {
		value, err := annotations.Pipe(yaml.Lookup(key))
		if err != nil || value == nil {
			return ""
		}
		return value.YNode().Value
	}
	manifests := text(bundleManifests)
	if text(bundleMediaType) != "registry+v1" || !filepath.IsLocal(manifests) {
		return "", false
	}
	return filepath.Join(dir, manifests), true
}
