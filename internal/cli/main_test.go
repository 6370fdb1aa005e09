package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/kustomize/worker"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
	"github.com/goldenarch/goldenarch/test/programtest"
)

func TestMain(m *testing.M) {
	status := m.Run()
	if pool, err := workers(); err == nil {
		pool.Close()
		_ = os.RemoveAll(filepath.Dir(pool.Program))
	}
	os.Exit(status)
}

// program builds the program once, and returns its path. Beside it are the others that tests
// run.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "goldenarch-cli-")
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "goldenarch"), programtest.Build(dir, "test/fence", "test/kustomize")
})

// workers are those of all tests in this process.
var workers = sync.OnceValues(func() (*worker.Pool, error) {
	path, err := program()
	return &worker.Pool{Program: path}, err
})

// lockFile is the name of a new lock.
const lockFile = "golden-images.lock.yaml"

// builder builds kustomizations with the program.
type builder struct{}

func (builder) Build(ctx context.Context, request kustomize.Request) (kustomize.Result, error) {
	pool, err := workers()
	if err != nil {
		return kustomize.Result{}, err
	}
	return pool.Build(ctx, request)
}

// Execute runs goldenarch in this process. Its workers are those of the program.
func Execute(ctx context.Context, args []string, streams Streams) int {
	streams.routes = routesOfTests
	return Run(ctx, args, streams, builder{})
}

// ownRoot is the root of this repository, as long as no test has changed the directory.
var ownRoot = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return files.GitRoot(dir)
}()

// ownRoutes returns what applies the directories of this repository. Most tests ask for it, no
// test changes it, and to look through thousands of files takes a second with the race detector.
var ownRoutes = sync.OnceValues(func() (repo.Routes, error) { return repo.RoutesIn(ownRoot, nil) })

func routesOfTests(root string, from manifest.IgnoreFrom) (repo.Routes, error) {
	if from == nil && root == ownRoot {
		return ownRoutes()
	}
	return repo.RoutesIn(root, from)
}

// programDir returns the directory of the program.
func programDir(t *testing.T) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(path)
}

// goldenarch is the program as a process of its own.
func goldenarch(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	child := exec.CommandContext(t.Context(), filepath.Join(programDir(t), "goldenarch"), args...)
	child.Env = os.Environ()
	return child
}
