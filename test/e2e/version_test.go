package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBuildIsPlain: the binary of `make build` is that of `go install`, stripped and
// static, so nobody who builds it differently has another program.
func TestBuildIsPlain(t *testing.T) {
	t.Parallel()
	r := runner{env: os.Environ()}
	got := r.run(t, "make", "--no-print-directory", "-C", repository(t), "-n", "build")
	want := "CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o " + filepath.Join(repository(t), "bin/goldenarch") + " .\n"
	if got.status != 0 || got.stdout != want {
		t.Errorf("got %+v, expected %q", got, want)
	}
}

// TestVersionOfAPlainBuild: what is built in a repository knows its tag and commit
// without being told.
func TestVersionOfAPlainBuild(t *testing.T) {
	t.Parallel()
	dir := sources(t)
	r := runner{env: append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=true", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_AUTHOR_DATE=2026-11-22T01:02:03Z", "GIT_COMMITTER_DATE=2026-11-22T01:02:03Z")}
	const build = "go build -trimpath -ldflags '-s -w' -o goldenarch . && ./goldenarch version"
	got := shell(t, r, dir, "git init -q && echo /goldenarch >.gitignore && git add -A && git commit -qm x && git tag v1.8.7 && git rev-parse HEAD && "+build)
	commit, said, _ := strings.Cut(got.stdout, "\n")
	if want := "goldenarch v1.8.7 (commit " + commit + ", 2026-11-22T01:02:03Z)\n"; got.status != 0 || said != want {
		t.Errorf("got %+v, expected %q", got, want)
	}
	got = shell(t, r, dir, "echo >>main.go && "+build)
	if want := "goldenarch v1.8.7+dirty (commit " + commit + "+dirty, 2026-11-22T01:02:03Z)\n"; got.status != 0 || got.stdout != want {
		t.Errorf("after a change: got %+v, expected %q", got, want)
	}
}

// sources copies what the program is built from.
func sources(t *testing.T) string {
	t.Helper()
	to := t.TempDir()
	from := repository(t)
	apart := []string{"bin", "dist", "test", "tools"} // a build does not read them
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case entry.IsDir() && below != "." && (strings.HasPrefix(below, ".") || slices.Contains(apart, below) || entry.Name() == "testdata"):
			return filepath.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, below), 0o755)
		case !entry.Type().IsRegular() || strings.HasPrefix(below, "."):
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, below), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}
