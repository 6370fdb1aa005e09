package flux

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fluxcd/pkg/kustomize"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/yaml"
)

const example = "examples/flux"

// TestRenderedIsFresh: what the example has committed is what CI would commit.
func TestRenderedIsFresh(t *testing.T) {
	t.Parallel()
	want := rendered(t, filepath.Join(repository(t), example, "source"), "--no-flux-substitution")
	got, err := os.ReadFile(filepath.Join(repository(t), example, "rendered/manifests.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("render it anew (-rendered +committed):\n%s", diff)
	}
}

// TestFluxRunsNoFunction: this is why manifests are rendered before.
func TestFluxRunsNoFunction(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	dir := filepath.Join(repository(t), example, "source")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name()] = string(data)
	}
	if _, err := built(t, files, nil); err == nil || !strings.Contains(err.Error(), "external plugins disabled") {
		t.Errorf("want Flux to refuse the function, got %v", err)
	}
}

// TestSubstitution: with the flag, what Flux applies is what was rendered,
// whatever is in it; without, Flux replaces its variables.
func TestSubstitution(t *testing.T) {
	t.Parallel()
	source := written(t, map[string]string{"hco.yaml": withVariables})
	variables := map[string]any{"CLUSTER": "prod"}
	config := []string{
		"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64", "--set", "predefined=none",
		"--release", "1.19", "--set", "expand=Emit", "--set", "existing=Keep",
	}
	for _, tc := range []struct {
		reason  string
		flags   []string
		changed bool
	}{
		{"the flag keeps it as it is", []string{"--no-flux-substitution"}, false},
		{"a variable may be meant, so it is left to the user", nil, true},
	} {
		text := rendered(t, source, append(config, tc.flags...)...)
		before := objects(t, text)
		if len(before) < 4 {
			t.Fatalf("want the CR, crons and DataSources, got %d objects:\n%s", len(before), text)
		}
		resources, err := built(t, map[string]string{"manifests.yaml": text}, variables)
		if err != nil {
			t.Fatal(err)
		}
		diff := cmp.Diff(before, substituted(t, resources, variables))
		if (diff != "") != tc.changed {
			t.Errorf("%s: Flux changed it: %v\n%s", tc.reason, diff != "", diff)
		}
		if got := strings.Count(text, "kustomize.toolkit.fluxcd.io/substitute:"); (got > 0) == tc.changed {
			t.Errorf("%s: %d objects are annotated", tc.reason, got)
		}
	}
}

// withVariables has what Flux takes for variables in the CR, and in a template
// whose parts are emitted; a claim of a person stands for the registry.
const withVariables = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata:
  name: kubevirt-hyperconverged
  namespace: kubevirt-hyperconverged
  annotations:
    example.com/script: 'for i in ${LIST:=a b}; do echo $${i} ${CLUSTER} $HOME $$ $(date); done'
spec:
  dataImportCronTemplates:
  - metadata:
      name: app
      annotations:
        ssp.kubevirt.io/dict.architectures: amd64,arm64
        example.com/owner: team-${CLUSTER}
    spec:
      managedDataSource: app
      schedule: 0 0 * * *
      template:
        spec:
          source:
            registry:
              url: docker://registry.example.com/vm/app:1
          storage:
            storageClassName: fast-${CLUSTER}
            resources:
              requests:
                storage: 5Gi
---
apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata:
  name: g
spec:
  overrides:
  - image: registry.example.com/vm/app:1
    architectures: [amd64, arm64]
`

// built is what Flux builds of files, for a Flux Kustomization with variables.
func built(t *testing.T, files map[string]string, variables map[string]any) (resmap.ResMap, error) {
	t.Helper()
	root := written(t, files)
	return builtAt(t, root, root, fluxKustomization(variables))
}

// builtAt is what Flux builds of a directory of an artifact, for a Kustomization.
func builtAt(t *testing.T, root, dir string, ks unstructured.Unstructured) (resmap.ResMap, error) {
	t.Helper()
	if _, err := kustomize.NewGenerator(root, ks).WriteFile(dir, kustomize.WithSaveOriginalKustomization()); err != nil {
		t.Fatal(err)
	}
	return kustomize.SecureBuild(root, dir, false)
}

// substituted are the objects that Flux applies.
func substituted(t *testing.T, resources resmap.ResMap, variables map[string]any) map[string]string {
	t.Helper()
	var all bytes.Buffer
	for _, resource := range resources.Resources() {
		after, err := kustomize.SubstituteVariables(t.Context(), nil, fluxKustomization(variables), resource, kustomize.SubstituteWithDryRun(true))
		if err != nil {
			t.Fatal(err)
		}
		if after == nil { // it is not to be touched
			after = resource
		}
		text, err := after.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString("---\n" + string(text))
	}
	return objects(t, all.String())
}

func fluxKustomization(variables map[string]any) unstructured.Unstructured {
	spec := map[string]any{"path": "./", "prune": true}
	if variables != nil {
		spec["postBuild"] = map[string]any{"substitute": variables}
	}
	return unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
		"metadata": map[string]any{"name": "virtualization", "namespace": "flux-system"}, "spec": spec,
	}}
}

// rendered is what goldenarch makes of a path.
func rendered(t *testing.T, path string, flags ...string) string {
	t.Helper()
	program, err := goldenarch()
	if err != nil {
		t.Fatalf("without goldenarch this test proves nothing: %v", err)
	}
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), program, append([]string{"render", path}, flags...)...)
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		t.Fatalf("render: %v\n%s", err, stderr.String())
	}
	return stdout.String()
}

// objects returns the objects of a stream as JSON, by kind and name.
func objects(t *testing.T, stream string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for document := range strings.SplitSeq("\n"+stream, "\n---\n") {
		var o unstructured.Unstructured
		if err := yaml.Unmarshal([]byte(document), &o.Object); err != nil {
			t.Fatal(err)
		}
		if o.Object == nil {
			continue // nothing between two marks
		}
		data, err := json.Marshal(o.Object)
		if err != nil {
			t.Fatal(err)
		}
		out[o.GetKind()+"/"+o.GetName()] = string(data)
	}
	return out
}

func written(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}
