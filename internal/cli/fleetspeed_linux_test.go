package cli

import (
	"bytes"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/filetest"
	"github.com/goldenarch/goldenarch/internal/repo/repotest"
)

// writeRepository writes the files of a repository, and returns its directory.
func writeRepository(tb testing.TB, files map[string]string) string {
	tb.Helper()
	root := filetest.New(tb, files)
	return root
}

// BenchmarkFleet is "goldenarch check" of a repository with 250 overlays. The CPU time
// depends less on what else the machine does than the wall time does.
func BenchmarkFleet(b *testing.B) {
	const overlays = 250
	root := writeRepository(b, repotest.Fleet(overlays))
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
	args := []string{"check", writeRepository(t, repotest.Fleet(12)), "--as", "rendered"}
	status := Execute(t.Context(), args, Streams{In: strings.NewReader(""), Out: &out, Err: io.Discard})
	if want := "passed: RightOnceRendered, 12 clusters, 12 HyperConverged CRs, 0 errors, 0 warnings"; status != 0 || !strings.Contains(out.String(), want) {
		t.Errorf("want status 0 and %q, got %d\n%s", want, status, &out)
	}
}
