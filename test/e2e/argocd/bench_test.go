package argocd

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
)

// BenchmarkGenerate is the time of one call for the manifests of the example, as
// Argo CD's repo-server makes it (discover, init, generate), beside that of a
// plugin which prints the files. One of each in turn, so that what else the machine
// does meets both; medians. Run:
//
//	CGO_ENABLED=0 go test -vet=off -run '^$' -bench Generate -benchtime 100x .
func BenchmarkGenerate(b *testing.B) {
	if err := build("./identity", "identity"); err != nil {
		b.Fatal(err)
	}
	sockets, stop, err := serve(filepath.Join(filepath.Dir(programs), "identity"), "testdata/identity", "identity")
	if err != nil {
		b.Fatal(err)
	}
	defer stop()
	r := newRepo(b, nil)
	took := func(plugin string, objects int) time.Duration {
		start := time.Now()
		got, err := r.generate(b.Context(), &v1alpha1.ApplicationSourcePlugin{Name: plugin})
		took := time.Since(start)
		if err != nil || len(got) != objects {
			b.Fatalf("%s: want %d objects, got %d and %v", plugin, objects, len(got), err)
		}
		return took
	}
	var ours, identity, added []time.Duration
	own := os.Getenv(socketsVariable)
	for b.Loop() {
		b.Setenv(socketsVariable, own)
		one := took("goldenarch", 1)
		b.Setenv(socketsVariable, sockets)
		other := took("identity", 4)
		ours, identity, added = append(ours, one), append(identity, other), append(added, one-other)
	}
	for name, times := range map[string][]time.Duration{"goldenarch-ms": ours, "identity-ms": identity, "added-ms": added} {
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, name)
	}
	b.ReportMetric(0, "ns/op") // of both together: of no use
}
