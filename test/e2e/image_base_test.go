package e2e

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// goBuilder makes the image that the Dockerfile builds in, from the Go of this
// machine: what is tested is then the very Dockerfile that users build, where
// no registry can be reached too. It returns what a build needs beside that.
func (e engines) goBuilder(t *testing.T) (flags string) {
	t.Helper()
	root := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil && !errors.Is(err, fs.ErrExist) {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"bin", "tmp", "root", "etc/ssl/certs"} {
		must(os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	busybox, err := os.ReadFile(program(t, "busybox"))
	must(err)
	must(os.WriteFile(filepath.Join(root, "bin/busybox"), busybox, 0o755))
	for applet := range strings.FieldsSeq(e.must(t, "busybox", "--list")) {
		must(os.Symlink("busybox", filepath.Join(root, "bin", applet)))
	}
	// As in golang's own image, root's home is where the Dockerfile mounts caches.
	must(os.WriteFile(filepath.Join(root, "etc/passwd"), []byte("root:x:0:0:root:/root:/bin/sh\n"), 0o644))
	certificates, err := os.ReadFile("/etc/ssl/certs/ca-certificates.crt")
	must(err)
	must(os.WriteFile(filepath.Join(root, "etc/ssl/certs/ca-certificates.crt"), certificates, 0o644))
	// Go's own caches of this machine: what they have is neither downloaded nor
	// compiled again, for any platform.
	config := []string{
		"--env", "PATH=/usr/local/go/bin:/bin", "--env", "GOPATH=/go", "--env", "GOTOOLCHAIN=local",
		"--env", "GOCACHE=/cache/build", "--env", "GOMODCACHE=/cache/modules",
	}
	// Modules come from where they come from on this machine.
	for _, name := range []string{"GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE"} {
		if value := goEnv(t, name); value != "" {
			config = append(config, "--env", name+"="+value)
		}
	}
	files := map[string]string{"/": root, "/usr/local/go": goEnv(t, "GOROOT")}
	pinned(t)
	if got := e.image(t, goImage, files, config...); got.status != 0 {
		t.Fatalf("cannot make the image of Go: %s%s", got.stdout, got.stderr)
	}
	return strings.Join([]string{
		"--build-arg=GO_IMAGE=" + goImage, "--build-arg=GOCACHE=/cache/build", "--pull=never", "--network=host", "--security-opt=label=disable",
		"--volume=" + directory(t, goEnv(t, "GOCACHE")) + ":/cache/build",
		"--volume=" + directory(t, goEnv(t, "GOMODCACHE")) + ":/cache/modules",
	}, " ")
}

// goEnv asks Go as whoever runs the tests has it, not as the tests' programs do,
// which have a home of their own.
func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatalf("go env %s: %v", name, err)
	}
	return strings.TrimSpace(string(out))
}

// directory makes a directory, unless it is there.
func directory(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// goImage is the image that goBuilder makes.
const goImage = "localhost/golang:of-this-machine"

// pinned holds the Dockerfile's own base image to a digest, and to the Go of go.mod.
func pinned(t *testing.T) {
	t.Helper()
	dockerfile, err := os.ReadFile(filepath.Join(repository(t), "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile(filepath.Join(repository(t), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(module), "\ngo ")
	release, _, _ := strings.Cut(rest, "\n")
	minor := strings.Join(strings.SplitN(release, ".", 3)[:2], ".")
	base := regexp.MustCompile(`\nARG GO_IMAGE=docker\.io/library/golang:` + regexp.QuoteMeta(minor) + `(\.\d+)?(-\w+)?@sha256:[0-9a-f]{64}\n`)
	if !base.Match(dockerfile) {
		t.Errorf("the Dockerfile does not pin golang:%s by its digest", minor)
	}
}
