package cli

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/repotest"
)

// BenchmarkFleet is "goldenarch check" of a repository with 250 overlays. The CPU time
// depends less on what else the machine does than the wall time does.
func BenchmarkFleet(b *testing.B) {
	const overlays = 250
	root := filetest.New(b, repotest.Fleet(overlays))
	before := processorTime(b)
	for b.Loop() {
		var out, messages bytes.Buffer
		if status := Execute(b.Context(), []string{"check", root, "--as", "rendered"}, Streams{In: strings.NewReader(""), Out: &out, Err: &messages}); status != 0 {
			b.Fatalf("status %d\n%s%s", status, &out, &messages)
		}
	}
	clusters := float64(b.N * overlays)
	b.ReportMetric(float64((processorTime(b)-before).Microseconds())/1000/clusters, "CPU-ms/overlay")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/clusters, "ms/overlay")
}

// BenchmarkUntrustedFleet compares a check of 200 overlays that trusts its input with one that does not.
func BenchmarkUntrustedFleet(b *testing.B) {
	root := filetest.New(b, repotest.Fleet(200))
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "x"}} {
		if out, err := exec.CommandContext(b.Context(), gitProgram, append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			b.Fatal(string(out))
		}
	}
	for _, mode := range [][]string{{"trusted"}, {"untrusted", "--untrusted", "--base", "HEAD"}} {
		b.Run(mode[0], func(b *testing.B) {
			args := append([]string{"check", root, "--offline", "--as", "rendered"}, mode[1:]...)
			measureCheck(b, args)
		})
	}
}

// BenchmarkManyFiles measures the check of a tree of 20,000 Deployments and ConfigMaps beside a CR, a machine and a
// DataImportCron.
func BenchmarkManyFiles(b *testing.B) {
	files := map[string]string{
		"virt/hco.yaml": gateOn, "virt/vm.yaml": oneMachine,
		"virt/cron.yaml": "apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataImportCron\nmetadata: {name: c, namespace: x}\nspec:\n  managedDataSource: c\n" +
			"  schedule: 0 0 * * *\n  template: {spec: {source: {registry: {url: \"docker://quay.io/a/b:1\"}}, storage: {resources: {requests: {storage: 1Gi}}}}}\n",
	}
	environment := strings.Repeat("        - name: SETTING\n          value: a text of some length, as many files have\n", 10)
	values := strings.Repeat("    a line of a text of some length, as many files have them\n", 15)
	for i := range 10_000 {
		dir := fmt.Sprintf("apps/%d/%d/", i/250, i/5)
		files[dir+fmt.Sprintf("web-%d.yaml", i)] = fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web-%d\nspec:\n"+
			"  template:\n    spec:\n      containers:\n      - name: web\n        image: quay.io/a/b:1\n        env:\n%s", i, environment)
		files[dir+fmt.Sprintf("cm-%d.yaml", i)] = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cm-%d\ndata:\n  text: |\n%s", i, values)
	}
	root := filetest.New(b, files)
	args := []string{
		"check", root, "--offline", "--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64",
	}
	measureCheck(b, args)
}

// measureCheck runs a check that passes, and reports its CPU time.
func measureCheck(b *testing.B, args []string) {
	b.Helper()
	before := processorTime(b)
	for b.Loop() {
		var out, messages bytes.Buffer
		if status := Execute(b.Context(), args, Streams{In: strings.NewReader(""), Out: &out, Err: &messages}); status != 0 {
			b.Fatalf("status %d\n%s%s", status, &out, &messages)
		}
	}
	b.ReportMetric((processorTime(b)-before).Seconds()/float64(b.N), "CPU-s/check")
}

// processorTime returns how long processors have worked for this process.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// TestFleetForMeasurements: the fleet of the measurements is one that passes, so they
// measure whole checks.
func TestFleetForMeasurements(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	args := []string{"check", filetest.New(t, repotest.Fleet(12)), "--as", "rendered"}
	status := Execute(t.Context(), args, Streams{In: strings.NewReader(""), Out: &out, Err: io.Discard})
	if want := "passed: RightOnceRendered, 12 clusters, 12 HyperConverged CRs, 0 errors, 0 warnings"; status != 0 || !strings.Contains(out.String(), want) {
		t.Errorf("want status 0 and %q, got %d\n%s", want, status, &out)
	}
}
