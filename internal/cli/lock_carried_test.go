package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestLockIsCarried: where no machine reaches both the registry and Git, lock --only writes the lock
// near the registry without the CR, whatever the working directory has, and render --offline reads it
// near Git.
func TestLockIsCarried(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	near := filetest.New(t, map[string]string{
		"a/hco.yaml": l.cr("x/single:1"), "b/hco.yaml": l.cr("x/single:1"), "a/broken.yaml": "a: [\n",
	})
	lock := func(args ...string) (stdout, stderr string, status int) {
		t.Helper()
		return runIn(t, near, append([]string{"lock", "--file", lockFile, "--set=registryRetries=0", "--set=registryInsecure=" + l.registry.Host()}, args...)...)
	}
	for _, image := range []string{"x/fedora:1", "x/rhel10-guest:latest"} {
		if _, messages, status := lock("--only", l.ref(image)); status != statusOK {
			t.Fatalf("%s: status %d\n%s", image, status, messages)
		}
	}
	both := []string{"--only", l.ref("x/fedora:1"), "--only", l.ref("x/rhel10-guest:latest")}
	if out, messages, status := lock(append(both, "--check")...); status != statusOK {
		t.Errorf("what is written is right: status %d\n%s%s", status, out, messages)
	}
	carried := filetest.Read(t, filepath.Join(near, lockFile))
	l.write(lockFile, string(carried))

	l.registry.Push("x/fedora:1", registrytest.Index("linux/amd64"))
	out, messages, status := lock(append(both, "--check")...)
	advised := "goldenarch lock --file " + lockFile // and no PATH
	if status != statusDiffers || !strings.Contains(out, "-arm64") || !strings.Contains(messages, advised) {
		t.Errorf("the registry has changed: want %q, got status %d\n%s%s", advised, status, out, messages)
	}
	if _, messages, status := lock("--only", l.ref("x/gone:1")); status != statusFailed || !strings.Contains(messages, "x/gone:1") {
		t.Errorf("an image that is not there: status %d\n%s", status, messages)
	}

	asked := l.registry.Counts().Total()
	status, out, messages = l.run(nil, "render", "DIR", "--offline", "--workload-architectures", "amd64,arm64")
	for _, declared := range []string{"'amd64,arm64'", "'amd64,s390x'"} {
		if !strings.Contains(out, "dict.architectures: "+declared) {
			t.Errorf("want %s declared, got status %d\n%s%s", declared, status, out, messages)
		}
	}
	if l.registry.Counts().Total() != asked {
		t.Error("render --offline asked the registry")
	}
}
