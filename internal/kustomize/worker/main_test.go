package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/programtest"
)

func TestMain(m *testing.M) {
	status := m.Run()
	if dir, err := programs(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(status)
}

// programs builds goldenarch and confined once, and returns their directory.
var programs = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "goldenarch-worker-")
	if err != nil {
		return "", err
	}
	return dir, programtest.Build(dir, "internal/kustomize/worker/confined")
})

func program(t *testing.T, name string) string {
	t.Helper()
	dir, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name)
}

// pool returns a pool whose workers end with the test.
func pool(t *testing.T) *Pool {
	t.Helper()
	p := &Pool{Program: program(t, "goldenarch")}
	t.Cleanup(p.Close)
	return p
}

// written writes files below a directory, and returns it.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, dir, files)
	return dir
}

const object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m%d}\ndata: {a: b}\n---\n"

// small is a kustomization that builds to one object.
func small(t *testing.T) string {
	t.Helper()
	return written(t, map[string]string{"kustomization.yaml": "resources: [m.yaml]\n", "m.yaml": fmt.Sprintf(object, 0)})
}

// slow is a kustomization that takes minutes: kustomize looks at all objects for each.
func slow(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, object, i)
	}
	return written(t, map[string]string{"kustomization.yaml": "namePrefix: x-\nresources: [m.yaml]\n", "m.yaml": text.String()})
}

func of(dir string) kustomize.Request { return kustomize.Request{Dir: dir} }
