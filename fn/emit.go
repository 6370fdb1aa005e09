package fn

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/finding"
	"github.com/goldenarch/goldenarch/plan"
)

func emit(items []*yaml.RNode, list []subject, plans []plan.Plan, spec *v1alpha1.GoldenImagesSpec) ([]*yaml.RNode, finding.List) {
	return upsert(items, nil)
}
