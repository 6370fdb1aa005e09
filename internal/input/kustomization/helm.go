package kustomization

import (
	"fmt"
	"strings"
)

// helmless adds what to do to an error of kustomize about a chart. kustomize
// names a flag that goldenarch has not (kustomize builtins/HelmChartInflationGenerator.go).
func (b *build) helmless(err error) error {
	if !strings.Contains(err.Error(), "must specify --enable-helm") {
		return err
	}
	if b.lister != "" {
		return fmt.Errorf("%w, which goldenarch has not, for it runs no helm: let kustomize build it and run goldenarch: "+
			"kustomize build --enable-helm --enable-alpha-plugins --enable-exec %s", err, b.given)
	}
	return fmt.Errorf("%w, which goldenarch has not, for it runs no helm: build it first: "+
		"kustomize build --enable-helm %s | goldenarch render -", err, b.given)
}
