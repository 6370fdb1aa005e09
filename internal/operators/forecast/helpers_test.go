package forecast

import (
	"encoding/json"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

func parseCR(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, object map[string]any,
) *hyperconverged.CR {
	t.Helper()
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatalf("write the CR: %v", err)
	}
	cr, found := hyperconverged.Parse(data)
	if cr == nil {
		t.Fatalf("read the CR %s: %v", data, found)
	}
	return cr
}

// crOf reads a CR whose spec, and metadata if any, is given as YAML.
func crOf(t *testing.T, version, content string) *hyperconverged.CR {
	t.Helper()
	object := map[string]any{"metadata": map[string]any{"name": "kubevirt-hyperconverged"}}
	if err := yaml.Unmarshal([]byte(content), &object); err != nil {
		t.Fatal(err)
	}
	object["apiVersion"], object["kind"] = "hco.kubevirt.io/"+version, "HyperConverged"
	return parseCR(t, object)
}

// on is a v1 CR with the gate on, no predefined templates and these of its own.
func on(t *testing.T, templates string) *hyperconverged.CR {
	t.Helper()
	return crOf(t, "v1",
		"spec: {workloadSources: {enableMultiArchBootImageImport: true, enableCommonBootImageImport: false, dataImportCronTemplates: ["+templates+"]}}")
}

// dict is a template in YAML: its name, DataSource, and what else is in its
// metadata.
func dict(name, dataSource, more string) string {
	return "{metadata: {name: " + name + more + "}, spec: {managedDataSource: " + dataSource + ", schedule: '0 0 * * *', " +
		"template: {spec: {source: {registry: {url: 'docker://quay.io/acme/app:1'}}, storage: {resources: {requests: {storage: 5Gi}}}}}}}"
}

func claims(value string) string {
	return ", annotations: {ssp.kubevirt.io/dict.architectures: '" + value + "'}"
}

// nodes are the architectures of a cluster.
func nodes(controlPlane, workload arch.Set) cluster.Architectures {
	return cluster.Architectures{ControlPlane: controlPlane, Workload: workload}
}

// mixed is a cluster of amd64 and arm64 workers.
func mixed() cluster.Architectures {
	return nodes(arch.NewSet(arch.AMD64), arch.NewSet(arch.AMD64, arch.ARM64))
}

func release(t *testing.T, s string) v1alpha1.Release {
	t.Helper()
	r, err := v1alpha1.ParseRelease(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
