package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDist makes a release of one platform, twice.
func TestDist(t *testing.T) {
	t.Parallel()
	once, again := t.TempDir(), t.TempDir()
	for _, dir := range []string{once, again} {
		r := runner{
			env: append(os.Environ(), "DIST="+filepath.Join(dir, "dist"), "VERSION=v1.2.3",
				"LDFLAGS=-s -w -X github.com/goldenarch/goldenarch/internal/cli.version=v1.2.3"),
		}
		if got := r.run(t, filepath.Join(repository(t), "tools/dist.sh"), "linux/amd64"); got.status != 0 {
			t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
		}
	}
	r := runner{env: os.Environ()}
	dist := filepath.Join(once, "dist")
	if got := shell(t, r, dist, "sha256sum --check --strict SHA256SUMS"); got.status != 0 || strings.Count(got.stdout, ": OK") != 5 {
		t.Errorf("want checksums of binary, bill, licence and changelog: %+v", got)
	}
	read := func(dir, name string) string {
		data, err := os.ReadFile(filepath.Join(dir, "dist", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if diff := cmp.Diff(read(once, "SHA256SUMS"), read(again, "SHA256SUMS")); diff != "" {
		t.Errorf("the same source gives other bytes:\n%s", diff)
	}
	if got := shell(t, r, dist, "./goldenarch-linux-amd64 version"); !strings.HasPrefix(got.stdout, "goldenarch v1.2.3 ") {
		t.Errorf("the version is not stamped: %+v", got)
	}
	const most = 28_200_000 // bytes: hosts fetch it, and kpt for every package
	if size := len(read(once, "goldenarch-linux-amd64")); size > most {
		t.Errorf("the binary has %d bytes, want %d at most: see what became larger", size, most)
	}
	for _, part := range []string{"pkg:golang/github.com/goldenarch/goldenarch@v1.2.3", "pkg:golang/sigs.k8s.io/kustomize/api@v0.21.2", "pkg:golang/std@"} {
		if !strings.Contains(read(once, "goldenarch-linux-amd64.cdx.json"), part) {
			t.Errorf("the bill of materials lacks %s", part)
		}
	}
}
