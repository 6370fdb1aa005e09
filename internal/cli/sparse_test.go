package cli

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestLockOfSparse: the lock says what a sparse mirror lacks, and a run that does not look for
// it keeps that. One that looks and finds it takes it out.
func TestLockOfSparse(t *testing.T) {
	t.Parallel()
	const name = "golden-images.lock.yaml"
	whole := registrytest.Index("linux/amd64", "linux/arm64")
	half := whole
	half.Children = whole.Children[:1]
	l := newLockedTree(t)
	l.registry.Push("y/sparse:1", half)
	l.write("hco.yaml", withStorage(l.cr("y/sparse:1")))
	run := func(want int, args ...string) string {
		t.Helper()
		status, stdout, stderr := l.run(nil, args...)
		if status != want {
			t.Errorf("%v: want status %d, got %d\n%s%s", args, want, status, stdout, stderr)
		}
		return stdout + stderr
	}
	run(0, "lock", "DIR", "--set", "verify=children")
	sparse := l.read(name)
	platforms, absent, _ := strings.Cut(sparse, "absent:")
	if !strings.Contains(platforms, "architecture: amd64") || strings.Contains(platforms, "arm64") || !strings.Contains(absent, "architecture: arm64") {
		t.Fatalf("want arm64 to be absent, got\n%s", sparse)
	}
	if says := run(1, "render", "DIR", "--offline", "--workload-architectures", "amd64,arm64"); !strings.Contains(says, "error GA718") ||
		!strings.Contains(says, "as the lock says") {
		t.Errorf("want the error of the lock, got\n%s", says)
	}
	run(0, "render", "DIR", "--offline", "--workload-architectures", "amd64")
	run(0, "check", "DIR", "--offline", "--workload-architectures", "amd64")
	run(0, "lock", "DIR")
	run(0, "lock", "DIR", "--check")
	run(0, "lock", "DIR", "--check", "--set", "verify=children")
	if got := l.read(name); got != sparse {
		t.Errorf("nothing has changed in the registry, but the lock is now\n%s", got)
	}
	newer := registrytest.AttestedIndex("linux/amd64", "linux/arm64")
	l.registry.Push("y/sparse:1", newer)
	run(0, "lock", "DIR")
	if _, absent, ok := strings.Cut(l.read(name), "absent:"); !ok || !strings.Contains(absent, "arm64") || !strings.Contains(l.read(name), newer.Digest()) {
		t.Errorf("a new index does not prove its images, got\n%s", l.read(name))
	}
	run(3, "lock", "DIR", "--check", "--set", "verify=children")
	run(0, "lock", "DIR", "--set", "verify=children")
	if got := l.read(name); strings.Contains(got, "absent") || !strings.Contains(got, "arm64") {
		t.Errorf("arm64 is there now, got\n%s", got)
	}
}

// TestMirrorBelieved: where a mirror answers for the source, a run that reads the index alone
// says so.
func TestMirrorBelieved(t *testing.T) {
	t.Parallel()
	half := registrytest.Index("linux/amd64", "linux/arm64")
	half.Children = half.Children[:1]
	l := newLockedTree(t)
	l.registry.Push("m/x/fedora:1", half).Push("m/x/single:1", registrytest.Image("linux/amd64"))
	cr := strings.ReplaceAll(withStorage(l.cr("x/fedora:1", "x/single:1")), l.registry.Host(), "source.example.com")
	l.write("hco.yaml", cr)
	l.write("config.yaml", "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n"+
		"spec: {registry: {mirrors: [{source: source.example.com, mirrors: ["+l.registry.Host()+"/m], neverContactSource: true}]}}\n")
	_, stdout, stderr := l.run(nil, "check", "DIR", "--workload-architectures", "amd64")
	if out := stdout + stderr; strings.Count(out, "GA207") != 1 || !strings.Contains(out, "info GA207") || strings.Contains(out, "more), and goldenarch") {
		t.Errorf("want one note, and none about the image without an index, got\n%s", out)
	}
	if status, stdout, stderr := l.run(nil, "check", "DIR", "--workload-architectures", "amd64", "--set", "verify=children"); status != 0 ||
		strings.Contains(stdout+stderr, "GA207") {
		t.Errorf("want none about what was verified, got %d\n%s%s", status, stdout, stderr)
	}
}

// withStorage is a CR whose templates CDI accepts.
func withStorage(cr string) string {
	return strings.ReplaceAll(cr, "{spec: {source", "{spec: {storage: {resources: {requests: {storage: 5Gi}}}, source")
}
