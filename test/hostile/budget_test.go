//go:build unix

package hostile

import (
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// budgetConfig is a GoldenImages with more of its spec.
func budgetConfig(more string) string {
	return "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec:\n  predefined: none\n" +
		"  cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}\n" + more
}

// listed is a line for each number.
func listed(n int, form string) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, form, i)
	}
	return out.String()
}

// elements is an ApplicationSet with a list whose elements have many values.
func elements(number, values int) string {
	return "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a}\nspec:\n  generators:\n  - list:\n      elements:\n" +
		listed(number, "      - {"+strings.TrimSuffix(listed(values, "a%d: v%%[1]d, "), ", ")+"}\n")
}

const source = "{repoURL: https://example.com/org/repo.git, path: \"apps/{{a0}}%d\"}"

// inputsOfABudget are inputs of which a little used to be long work. Each says what the run
// names, and how many findings it may print.
var inputsOfABudget = map[string]struct {
	files    map[string]string
	args     []string
	names    string
	findings int
}{
	"SourcesOfApplicationSets": {
		files: map[string]string{
			"sets.yaml":      elements(1000, 60) + "  template:\n    spec:\n      sources:\n" + listed(300, "      - "+source+"\n"),
			"other/hco.yaml": hugeHead + "spec: {}\n",
		},
		args: []string{"check", "."}, names: "GA850 ApplicationSet/a (sets.yaml", findings: 8,
	},
	"WideElements": {
		files: map[string]string{"sets.yaml": elements(1000, 300) + "  template:\n    spec:\n      source: " + fmt.Sprintf(source, 0) + "\n"},
		args:  []string{"check", "."}, findings: 8,
	},
	"Levels": {
		files: map[string]string{strings.Repeat("d/", 1500) + "hco.yaml": hugeHead + "spec: {}\n"},
		args:  []string{"check", "."}, names: "directories are nested more than 200 levels deep", findings: 8,
	},
	"EntriesOfAFleet": {
		files: map[string]string{"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n" +
			listed(100_000, "- {paths: [c%d], workloadArchitectures: [amd64]}\n")},
		args: []string{"check", "."}, names: "99999 more entries of the Fleet", findings: 8,
	},
	"Mirrors": {
		files: map[string]string{
			"g.yaml": budgetConfig("  registry:\n    mirrors:\n" + listed(100_000, "    - {source: quay.io/r%[1]d, mirrors: [m.example.com/r%[1]d]}\n")),
		},
		args: []string{"render", "--config", "g.yaml", "hco.yaml"}, findings: 8,
	},
	"Overrides": {
		files: map[string]string{"g.yaml": budgetConfig("  overrides:\n" + listed(100_000, "  - {template: t%d, architectures: [amd64]}\n"))},
		args:  []string{"render", "--config", "g.yaml", "hco.yaml"}, names: "99999 more overrides", findings: 8,
	},
	"ArchitecturesOfTheLiveCR": {
		files: map[string]string{"live.yaml": hugeHead + "spec: {}\nstatus:\n  nodeInfo:\n    workloadsArchitectures: [" +
			strings.TrimSuffix(listed(100_000, "a%d, "), ", ") + "]\n    controlPlaneArchitectures: [amd64]\n"},
		args: []string{"check", "--live", "live.yaml", "hco.yaml"}, findings: 8,
	},
	"IgnorePatterns": {
		files: map[string]string{".krmignore": listed(20_000, "*a*a*a*x%d\n")},
		args:  []string{"check", "."}, names: "the patterns of .krmignore", findings: 8,
	},
	"CRsOfAClusterResourceSet": {
		files: map[string]string{"crs.yaml": resourceSetOf(1_000)},
		args:  []string{"check", "--workload-architectures", "amd64,arm64", "crs.yaml"}, names: "duplicate object", findings: 12_000,
	},
}

// resourceSetOf is a ClusterResourceSet with a ConfigMap of so many CRs.
func resourceSetOf(n int) string {
	cr := "    ---\n"
	for line := range strings.Lines(hugeHead + "spec: {}\n") {
		cr += "    " + line
	}
	return "apiVersion: addons.cluster.x-k8s.io/v1beta1\nkind: ClusterResourceSet\nmetadata: {name: s, namespace: d}\n" +
		"spec: {strategy: Reconcile, clusterSelector: {}, resources: [{kind: ConfigMap, name: c}]}\n" +
		"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: d}\ndata:\n  a.yaml: |\n" + strings.Repeat(cr, n)
}

// TestBudget: a small input is no long work. Run bounds the time of a processor and the
// memory; what ends a run early is named, and what is wrong a hundred thousand times is one
// finding.
func TestBudget(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(inputsOfABudget)) {
		tc := inputsOfABudget[name]
		t.Run(name, func(t *testing.T) {
			files := maps.Clone(tc.files)
			files["hco.yaml"] = hugeHead + "spec: {}\n"
			if name == "IgnorePatterns" {
				for i := range 1_000 {
					files[fmt.Sprintf("d/%s%d.yaml", strings.Repeat("a", 40), i)] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
				}
			}
			limits := Limits{Dir: filetest.New(t, files), Once: true, Time: 30 * time.Second, Memory: 1 << 30}
			got := Run(t, append(slices.Clone(tc.args), "--offline"), "", limits)
			if !strings.Contains(got.Stdout+got.Stderr, tc.names) {
				t.Errorf("want %q named, got\n%.1500s%.1500s", tc.names, got.Stdout, got.Stderr)
			}
			if n := findingsOf(got); n > tc.findings {
				t.Errorf("%d findings, expected at most %d", n, tc.findings)
			}
			t.Logf("%s, %d MB, %d findings", got.Took, got.Peak>>20, findingsOf(got))
		})
	}
}

// findingsOf counts the lines with findings.
func findingsOf(got Result) int {
	n := 0
	for line := range strings.Lines(got.Stdout + got.Stderr) {
		for _, word := range []string{"error GA", "warning GA", "info GA"} {
			if strings.HasPrefix(line, word) {
				n++
			}
		}
	}
	return n
}

// TestSilentHostIsOneFinding: 5,000 images at a host that accepts connections and answers
// nothing are one finding, in the time for the host and not for each image.
func TestSilentHostIsOneFinding(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	host := silent.Addr().String()
	cr := hugeHead + "spec:\n  dataImportCronTemplates:\n" + listed(5_000, `  - metadata: {name: t%[1]d}
    spec:
      schedule: "0 0 * * *"
      managedDataSource: t%[1]d
      template: {spec: {source: {registry: {url: "docker://`+host+`/org/r%[1]d:1"}}, storage: {resources: {requests: {storage: 10Gi}}}}}
`)
	files := map[string]string{"hco.yaml": cr, "g.yaml": budgetConfig("  registry: {insecure: [\"" + host + "\"], requestTimeout: 2s, retries: 0}\n")}
	got := Run(t, []string{"render", "--config", "g.yaml", "hco.yaml"}, "", Limits{Dir: filetest.New(t, files), Once: true, Time: 30 * time.Second})
	if n := strings.Count(got.Stderr, "error GA201"); got.Status != 1 || n != 1 || !strings.Contains(got.Stderr, "4999 more images at "+host) {
		t.Errorf("status %d, %d findings\n%.1000s", got.Status, n, got.Stderr)
	}
}
