package argocd

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/google/go-cmp/cmp"
)

// afterInit returns a repository after init, with a lock and a configuration.
func afterInit(t *testing.T) repo {
	t.Helper()
	r := repo{root: t.TempDir(), path: "."}
	flux := filepath.Join(example(), "../flux")
	for _, name := range []string{"hyperconverged.yaml", "golden-images.lock.yaml", "golden-images.yaml"} {
		text, err := os.ReadFile(filepath.Join(flux, "source", name))
		if err != nil {
			t.Fatal(err)
		}
		r.write(t, "virt/"+name, string(text))
	}
	command := exec.CommandContext(t.Context(), filepath.Join(programs, "goldenarch"), "init", ".", "--offline", "--release", "1.19",
		"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64")
	command.Dir = r.root
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("init: %v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(r.root, "goldenarch.yaml")); err != nil {
		t.Fatal(err)
	}
	return r
}

// wholeRepository is the source of an Application without a plugin.
func wholeRepository() v1alpha1.ApplicationSource {
	return v1alpha1.ApplicationSource{Directory: &v1alpha1.ApplicationSourceDirectory{Recurse: true}}
}

// TestDirectoryAfterInit: after init, beside a lock and a configuration, an Application of the whole repository without a plugin
// applies the CR alone, twice the same.
func TestDirectoryAfterInit(t *testing.T) {
	t.Parallel()
	r := afterInit(t)
	want := []string{"HyperConverged kubevirt-hyperconverged"}
	for range 2 {
		objects, err := r.generateFrom(t.Context(), wholeRepository())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, one := range objects {
			got = append(got, one.GetKind()+" "+one.GetName())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +what Argo CD applies:\n%s", diff)
		}
	}
}

// TestArgoCDAppliesTheSameTwice: what Argo CD makes of such a repository, and of the objects that goldenarch emits, is applied to
// an API server strictly and server-side. The second time changes nothing.
func TestArgoCDAppliesTheSameTwice(t *testing.T) {
	t.Parallel()
	r := afterInit(t)
	render := exec.CommandContext(t.Context(), filepath.Join(programs, "goldenarch"), "render", "virt", "--offline", "--set", "expand=Emit")
	render.Dir = r.root
	text, err := render.Output()
	if err != nil {
		t.Fatalf("render: %v", err)
	}
	_, emitted, _ := strings.Cut(string(text), "\n---\n") // after the CR, which is there already
	r.write(t, "virt/emitted.yaml", emitted)
	objects, err := r.generateFrom(t.Context(), wholeRepository())
	if err != nil {
		t.Fatal(err)
	}
	if len(objects) != 1+strings.Count(emitted, "\nkind: ") || len(objects) < 5 {
		t.Fatalf("Argo CD makes %d objects of\n%s", len(objects), emitted)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-s -w", "-o", filepath.Join(programs, "apiserver"), ".")
	build.Dir = "../apiserver"
	if err := goBuild(build); err != nil {
		t.Fatal(err)
	}
	var in, out bytes.Buffer
	for _, one := range objects {
		if err := json.NewEncoder(&in).Encode(one); err != nil {
			t.Fatal(err)
		}
	}
	apply := exec.CommandContext(t.Context(), filepath.Join(programs, "apiserver"))
	apply.Stdin, apply.Stderr = &in, &out
	applied, err := apply.Output()
	if got := strings.Count(string(applied), "unchanged "); err != nil || got != len(objects) {
		t.Errorf("%d of %d objects are applied twice without a change: %v\n%s", got, len(objects), err, out.String())
	}
}
