package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// functionResults is the part of kpt's FunctionResultList that is looked at.
type functionResults struct {
	Kind     string `json:"kind"`
	ExitCode int    `json:"exitCode"`
	Items    []struct {
		ExitCode int `json:"exitCode"`
		Results  []struct {
			Message     string            `json:"message"`
			Severity    string            `json:"severity"`
			ResourceRef map[string]string `json:"resourceRef"`
			Field       map[string]any    `json:"field"`
			File        map[string]any    `json:"file"`
			Tags        map[string]string `json:"tags"`
		} `json:"results"`
	} `json:"items"`
}

// Findings reach --results-dir with all that a tool needs to show them where
// they are.
func resultsAreStructured(t *testing.T, r runner, kpt string) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason   string
		without  string // a file that is taken out
		status   int
		finding  string
		severity string
	}{
		"Success": {
			reason: "what was decided is told as info", status: 0,
			finding: "GA107", severity: "info",
		},
		"Failure": {
			reason: "an error has a result like any other", without: "golden-images.lock.yaml", status: 1,
			finding: "GA601", severity: "error",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, out := copied(t, "examples/kpt"), t.TempDir()
			if tc.without != "" {
				if err := os.Remove(filepath.Join(dir, tc.without)); err != nil {
					t.Fatal(err)
				}
			}
			got := r.run(t, kpt, "fn", "render", dir, "--allow-exec", "--results-dir", out)
			if got.status != tc.status {
				t.Fatalf("%s: status %d, want %d\n%s%s", tc.reason, got.status, tc.status, got.stdout, got.stderr)
			}
			var list functionResults
			if err := yaml.Unmarshal([]byte(tree(t, out)["results.yaml"]), &list); err != nil {
				t.Fatal(err)
			}
			if list.Kind != "FunctionResultList" || list.ExitCode != tc.status || len(list.Items) != 1 {
				t.Fatalf("%s: unexpected list %+v", tc.reason, list)
			}
			for _, result := range list.Items[0].Results {
				if result.Tags["goldenarch.dev/finding"] == tc.finding && strings.HasPrefix(result.Message, tc.finding+": ") && result.Severity == tc.severity &&
					result.ResourceRef["kind"] == "HyperConverged" && result.Field["path"] == "spec.dataImportCronTemplates[0]" &&
					result.File["path"] == "hyperconverged.yaml" {
					return
				}
			}
			t.Errorf("%s: no such result among %+v", tc.reason, list.Items[0].Results)
		})
	}
}

// selectorsOfThePipeline chooses what goldenarch sees. Other items are left as
// they are; and without the nodes there is an error, not half a decision.
func selectorsOfThePipeline(t *testing.T, r runner, kpt string) {
	t.Parallel()
	const other = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata:
  name: not-ours
  namespace: elsewhere
  labels: {cluster: other}
spec:
  dataImportCronTemplates: []
`
	for name, tc := range map[string]struct {
		reason, pipeline string
		status           int
	}{
		"Selected": {
			reason:   "the CR by its name, and what is said of nodes and images by the group",
			pipeline: "    selectors:\n    - name: kubevirt-hyperconverged\n    - apiVersion: goldenarch.dev/v1alpha1\n",
		},
		"Excluded": {
			reason:   "all but the other CR",
			pipeline: "    exclude:\n    - labels: {cluster: other}\n",
		},
		"NodesNotSelected": {
			reason:   "what is not selected is not known",
			pipeline: "    selectors:\n    - kind: HyperConverged\n",
			status:   1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, plain := copied(t, "examples/kpt"), copied(t, "examples/kpt")
			replaceIn(t, filepath.Join(dir, "Kptfile"), "    configPath: golden-images.yaml\n", "    configPath: golden-images.yaml\n"+tc.pipeline)
			if err := os.WriteFile(filepath.Join(dir, "other.yaml"), []byte(other), 0o644); err != nil {
				t.Fatal(err)
			}
			want := tree(t, dir)
			if tc.status == 0 {
				if got := r.run(t, kpt, "fn", "render", plain, "--allow-exec"); got.status != 0 {
					t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
				}
				want["hyperconverged.yaml"] = tree(t, plain)["hyperconverged.yaml"]
			}
			got := r.run(t, kpt, "fn", "render", dir, "--allow-exec")
			if got.status != tc.status {
				t.Errorf("%s: status %d, want %d\n%s%s", tc.reason, got.status, tc.status, got.stdout, got.stderr)
			}
			if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
				t.Errorf("%s: unexpected files (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// evalWithAConfiguration runs goldenarch once, with the example's configuration.
func evalWithAConfiguration(t *testing.T, r runner, kpt string) {
	t.Parallel()
	once, rendered := copied(t, "examples/kpt"), copied(t, "examples/kpt")
	if got := r.run(t, kpt, "fn", "eval", once, "--exec", "goldenarch", "--fn-config", filepath.Join(once, "golden-images.yaml")); got.status != 0 {
		t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
	if got := r.run(t, kpt, "fn", "render", rendered, "--allow-exec"); got.status != 0 {
		t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
	if diff := cmp.Diff(tree(t, rendered), tree(t, once)); diff != "" {
		t.Errorf("eval writes something else than render (-render +eval):\n%s", diff)
	}
}
