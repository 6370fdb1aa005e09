package kustomize

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/goldenarch/goldenarch/test/kustomizationtest"
)

// outside is what must not be reached: a server that counts, and a git that notes
// that it was called.
type outside struct {
	server *httptest.Server
	asked  atomic.Int32
	called string
}

func newOutside(t *testing.T) *outside {
	t.Helper()
	o := &outside{}
	o.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		o.asked.Add(1)
		_, _ = w.Write([]byte(cr))
	}))
	t.Cleanup(o.server.Close)
	bin := t.TempDir()
	o.called = filepath.Join(bin, "called")
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\necho \"$@\" >>"+o.called+"\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return o
}

// written writes the files of a vector.
func (o *outside) written(t *testing.T, kustomization string) string {
	t.Helper()
	return written(t, kustomizationtest.Files(kustomization, o.server.URL))
}

func (o *outside) untouched(t *testing.T) {
	t.Helper()
	if n := o.asked.Load(); n > 0 {
		t.Errorf("the server was asked %d times", n)
	}
	if calls, err := os.ReadFile(o.called); err == nil {
		t.Errorf("git was called: %s", calls)
	}
}

// TestVectors: what would be fetched is an error that says so, whatever its form. Of a chart the error
// is that goldenarch runs no helm, and no kustomization has a text as a patch.
func TestVectors(t *testing.T) {
	o := newOutside(t)
	for name, kustomization := range kustomizationtest.Vectors() {
		t.Run(name, func(t *testing.T) {
			built, err := buildDir(o.written(t, kustomization))
			if err == nil || built.Items != nil {
				t.Fatalf("want an error, got %d items", len(built.Items))
			}
			if !strings.Contains(err.Error(), errRemote.Error()) && name != "PatchesText" && name != "HelmGenerator" {
				t.Errorf("want %v, got %v", errRemote, err)
			}
		})
	}
	o.untouched(t)
}

// TestConfine: kustomize's library by itself, without anybody who reads before it,
// reaches nothing in a process that is confined.
func TestConfine(t *testing.T) {
	o := newOutside(t)
	t.Setenv("PATH", "")
	hits := 0
	for name, kustomization := range kustomizationtest.Vectors() {
		t.Run(name, func(t *testing.T) {
			top := o.written(t, kustomization)
			library.refused.Store(0)
			var err error
			func() {
				defer func() { _ = recover() }()
				_, err = krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), top)
			}()
			if library.refusedOf(err) {
				hits++
			}
		})
	}
	o.untouched(t)
	if hits < 20 {
		t.Errorf("only %d of the vectors came as far as the network: they are no vectors", hits)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, o.server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if res, err := http.DefaultClient.Do(request); !errors.Is(err, errRefused) {
		t.Errorf("want %v, got %v", errRefused, err)
		if err == nil {
			_ = res.Body.Close()
		}
	}
	if at, err := exec.LookPath("git"); err == nil {
		t.Errorf("git is found at %s", at)
	}
	library.refused.Store(0)
}

// TestRefusedConnections: what only the transport sees is reported as what is read before.
func TestRefusedConnections(t *testing.T) {
	top := written(t, map[string]string{"top/kustomization.yaml": "resources: [cr.yaml]", "top/cr.yaml": cr})
	files := newDisk(&Library{}, Request{})
	b, err := newBuild(files, top)
	if err != nil {
		t.Fatal(err)
	}
	files.library.refused.Add(1)
	if _, err := b.run(); !errors.Is(err, errRemote) {
		t.Errorf("want %v, got %v", errRemote, err)
	}
}

// TestOverlaysOfABase: a library reads the objects of a file once, also where several overlays build it, and each of them says
// where they are from. It runs alone, because kustomize's library shares state within a process.
func TestOverlaysOfABase(t *testing.T) {
	const overlay = "namePrefix: x-\nresources: [../base, nodes.yaml]\n"
	files := map[string]string{"base/kustomization.yaml": "resources: [cr.yaml]\n", "base/cr.yaml": cr}
	for _, name := range []string{"a", "b", "c"} {
		files[name+"/kustomization.yaml"] = overlay
		files[name+"/nodes.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nodes}\n"
	}
	dir := filepath.Dir(written(t, files))
	l := &Library{}
	for _, name := range []string{"a", "b", "c"} {
		out, err := l.Build(t.Context(), Request{Dir: filepath.Join(dir, name)})
		if err != nil {
			t.Fatal(err)
		}
		var from []string
		for _, o := range out.Objects {
			from = append(from, filepath.Base(o.File))
		}
		if strings.Join(from, " ") != "nodes.yaml cr.yaml" || len(l.ids) != 2 {
			t.Errorf("%s: want two texts, and the files of both objects, got %d and %v", name, len(l.ids), from)
		}
	}
}
