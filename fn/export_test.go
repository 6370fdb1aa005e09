package fn

import (
	"context"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// Opened returns the function with somebody else to answer for images.
func (f Function) Opened(open func(registry.Options) (registry.Resolver, error)) Function {
	f.open = open
	return f
}

// Findings is Process, and returns the findings that it added to the results.
func (f Function) Findings(ctx context.Context, rl *framework.ResourceList) (finding.List, error) {
	return f.process(ctx, rl)
}
