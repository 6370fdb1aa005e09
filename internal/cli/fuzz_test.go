package cli

import (
	"bytes"
	"context"
	"errors"
	"runtime/debug"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/kio"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/configuration"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

var errRefused = errors.New("refused")

// refusing answers for no image.
type refusing struct{}

func (refusing) Resolve(context.Context, imageref.Reference) (registry.Image, error) {
	return registry.Image{}, errRefused
}

const seedHead = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
`

const seedConfig = `functionConfig:
  apiVersion: goldenarch.dev/v1alpha1
  kind: GoldenImages
  spec: {unresolved: Keep, release: "1.19", defaults: Write, cluster: {workloadArchitectures: [amd64, arm64]}}
`

const seedTemplates = `
    - metadata: {name: app, annotations: {ssp.kubevirt.io/dict.architectures: "amd64, arm64"}}
      spec: {managedDataSource: app, schedule: "", template: {spec: {source: {registry: {url: "docker://quay.io/acme/app:1"}}}}}
    - metadata: {name: fedora-image-cron, annotations: {dataimportcrontemplate.kubevirt.io/enable: "false"}} # off
`

var seeds = []string{
	"", "{}", "\x00", "- 1", "kind: ResourceList", seedHead, seedHead + "items: {}\n", seedHead + "items: [1, null, [], {}]\n",
	seedHead + "functionConfig: 1\nitems: []\n", seedHead + "functionConfig: []\n", seedHead + "items: [{apiVersion: 1, kind: [], metadata: x}]\n",
	seedHead + seedConfig +
		"items:\n- apiVersion: hco.kubevirt.io/v1beta1\n  kind: HyperConverged\n  metadata: {name: kubevirt-hyperconverged}\n  spec:\n    dataImportCronTemplates:" +
		seedTemplates,
	seedHead + seedConfig +
		"items:\n" +
		"- apiVersion: hco.kubevirt.io/v1\n" +
		"  kind: HyperConverged\n" +
		"  metadata: {name: a}\n" +
		"  spec:\n" +
		"   featureGates: [{name: enableMultiArchBootImageImport, state: Disabled}]\n" +
		"   workloadSources:\n" +
		"    dataImportCronTemplates: &t" +
		seedTemplates + "  other: *t\n",
	seedHead +
		"functionConfig: {apiVersion: v1, kind: ConfigMap, data: {singleArchitecture: amd64, workloadArchitectures: \"amd64,arm64\"}}\n" +
		"items:\n" +
		"- apiVersion: hco.kubevirt.io/v1beta1\n" +
		"  kind: HyperConverged\n" +
		"  spec: {workloads: {nodePlacement: {affinity: {nodeAffinity: " +
		"{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{}, {matchExpressions: [{key: a, operator: Exists}]}]}}}}}}\n",
	seedHead +
		"items:\n- {apiVersion: v1, kind: List, items: [{apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged, spec: }, " +
		"{apiVersion: v1, kind: Node, status: {nodeInfo: {architecture: arm64}}}, {apiVersion: v1, kind: NodeList, items: [{}]}]}\n",
	seedHead +
		"items:\n" +
		"- {apiVersion: goldenarch.dev/v1alpha1, kind: ClusterArchitectures, " +
		"spec: {nodes: [{architecture: arm64, labels: {node-role.kubernetes.io/worker: \"\"}}]}}\n" +
		"- {apiVersion: machine.openshift.io/v1beta1, kind: MachineSet, " +
		"spec: {template: {spec: {taints: [{key: multi-arch.openshift.io/arch, value: arm64}]}}}}\n",
	seedHead +
		"items:\n- {apiVersion: image.openshift.io/v1, kind: ImageStream, metadata: {name: a}, " +
		"spec: {tags: [{name: latest, from: {kind: ImageStreamTag, name: \"latest\"}}]}}\n",
}

// FuzzProcess: whatever comes in on standard input, what goes out can be read
// again, or there is an error.
func FuzzProcess(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	function := engine.Function{
		Source: configuration.Source{Dir: f.TempDir()},
		Open:   func(registry.Options) (registry.Resolver, error) { return refusing{}, nil },
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var out bytes.Buffer
		found, _, err := process(t.Context(), function, func() *debug.BuildInfo { return &debug.BuildInfo{} }, bytes.NewReader(input), &out)
		switch {
		case err != nil && !errors.Is(err, engine.ErrFindings):
			return
		case found.Failed() != (err != nil):
			t.Fatalf("error findings and the error go together: %v\n%s", err, found)
		}
		again, readErr := (&kio.ByteReader{Reader: bytes.NewReader(out.Bytes()), OmitReaderAnnotations: true}).Read()
		if readErr != nil {
			t.Fatalf("what went out cannot be read: %v\n%s", readErr, out.String())
		}
		for _, item := range again {
			if item.IsNil() {
				t.Fatalf("an item of the output is nothing:\n%s", out.String())
			}
		}
	})
}
