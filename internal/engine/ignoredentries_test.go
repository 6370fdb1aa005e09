package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// partlyIgnored answers with an image whose index has an entry that does not count.
type partlyIgnored struct{}

func (partlyIgnored) Resolve(_ context.Context, ref imageref.Reference) (registry.Image, error) {
	return registry.Image{
		Reference: ref.String(), Platforms: arch.Platforms{{OS: "linux", Architecture: "amd64"}},
		RejectedEntries: []string{`entry 2 has the architecture "aarch64", and CDI accepts only "arm64"`},
	}, nil
}

// TestEntriesThatCDIIgnores are a warning that names the image, and why.
func TestEntriesThatCDIIgnores(t *testing.T) {
	t.Parallel()
	input := `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  dataImportCronTemplates:
  - metadata: {name: own}
    spec:
      managedDataSource: own
      schedule: "0 0 * * *"
      template: {spec: {source: {registry: {url: "docker://registry.example/own:1"}}, storage: {resources: {requests: {storage: 10Gi}}}}}
`
	config := `apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: c}
spec: {cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}}
`
	found := runWith(t, input, config, func(registry.Options) (registry.Resolver, error) { return partlyIgnored{}, nil })
	for _, f := range found {
		if f.ID == finding.EntryIgnored && f.Severity == finding.Warning &&
			strings.Contains(f.Text, "registry.example/own:1") && strings.Contains(f.Text, `"aarch64"`) {
			return
		}
	}
	t.Errorf("want a warning about the entry, got\n%s", found)
}
