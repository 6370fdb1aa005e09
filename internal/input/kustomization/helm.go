package kustomization

import (
	"fmt"
	"strings"
)

// helmless adds a fix to kustomize's error about a chart. kustomize names a flag that
// goldenarch does not have (kustomize builtins/HelmChartInflationGenerator.go).
func (b *build) helmless(err error) error {
	if !strings.Contains(err.Error(), "must specify --enable-helm") {
		return err
	}
	if len(b.steps) > 0 {
		return fmt.Errorf("%w, but goldenarch runs no helm; let kustomize build the directory: "+
			"kustomize build --enable-helm --enable-alpha-plugins --enable-exec %s", err, b.given)
	}
	return fmt.Errorf("%w, but goldenarch runs no helm; build the directory first: "+
		"kustomize build --enable-helm %s %s", err, b.given, ToRender)
}
