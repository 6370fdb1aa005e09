package transition

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/operators/sequence"
)

// TestNotSettled: a plan names the objects that change again and again, and does not say that the
// CR is wrong.
func TestNotSettled(t *testing.T) {
	t.Parallel()
	cr, found := hyperconverged.Parse([]byte(`{"apiVersion": "hco.kubevirt.io/v1beta1", "kind": "HyperConverged",
		"metadata": {"name": "kubevirt-hyperconverged", "namespace": "openshift-cnv"},
		"spec": {"dataImportCronTemplates": [{"metadata": {"name": "app-cron"}, "spec": {"managedDataSource": "app", "schedule": "0 0 * * *",
			"template": {"spec": {"source": {"registry": {"url": "docker://quay.io/example/app"}}, "storage": {"resources": {"requests": {"storage": "1Gi"}}}}}}}]}}`))
	if cr == nil {
		t.Fatal(found)
	}
	release, err := v1alpha1.ParseRelease("1.19")
	if err != nil {
		t.Fatal(err)
	}
	one := arch.NewSet("amd64")
	in := forecast.Input{CR: cr, Release: release, Cluster: cluster.Architectures{Workload: one, ControlPlane: one, Default: "amd64"}}
	n := 0
	_, err = sequence.State{}.After(sequence.Step{Input: in, Digest: func(string, string) string {
		n++
		return fmt.Sprintf("sha256:%012d", n) // another one at each look
	}})
	const want = `after 30 passes they still change DataImportCron "app-cron" in namespace "kubevirt-os-images"`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Fatalf("want an error with %q, got %v", want, err)
	}
	step := Step{Title: "Apply the commit", Stopped: because(err), unsettled: true}
	if f := (&Dump{}).Findings(Plan{Steps: []Step{step}}, 0)[0]; strings.Contains(f.Do, "the CR") {
		t.Errorf("the CR is not wrong: %s", f.Do)
	}
}
