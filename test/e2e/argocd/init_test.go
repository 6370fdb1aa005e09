package argocd

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/google/go-cmp/cmp"
)

// TestDirectoryAfterInit: after init, beside a lock and a configuration, an Application of the whole repository without a plugin
// applies the CR alone, twice the same.
func TestDirectoryAfterInit(t *testing.T) {
	t.Parallel()
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
	source := v1alpha1.ApplicationSource{Directory: &v1alpha1.ApplicationSourceDirectory{Recurse: true}}
	want := []string{"HyperConverged kubevirt-hyperconverged"}
	for range 2 {
		objects, err := r.generateFrom(t.Context(), source)
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
