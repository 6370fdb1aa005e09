//go:build unix

package hostile

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// soakRuns returns how many mutated inputs are tried: GOLDENARCH_SOAK, or a
// number that takes a minute. `make soak` tries 2,000.
func soakRuns(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv("GOLDENARCH_SOAK")
	if text == "" {
		return 300
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("GOLDENARCH_SOAK: %v", err)
	}
	return n
}

// TestSoak runs the program on mutated CRs, kustomizations and indexes. Whatever
// they say, each run keeps what Run holds it to.
func TestSoak(t *testing.T) {
	t.Parallel()
	runs, crs := soakRuns(t), goldenInputs(t)
	ways := []func(t *testing.T, seed uint64){
		func(t *testing.T, seed uint64) { soakStream(t, seed, crs) },
		func(t *testing.T, seed uint64) { soakKustomization(t, seed, crs) },
		soakIndex,
	}
	var next, statuses atomic.Uint64
	for worker := range runtime.GOMAXPROCS(0) {
		t.Run(fmt.Sprint("worker ", worker), func(t *testing.T) {
			t.Parallel()
			for seed := next.Add(1); seed <= runs; seed = next.Add(1) {
				ways[seed%uint64(len(ways))](t, seed)
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
				statuses.Add(1)
			}
		})
	}
	t.Cleanup(func() {
		if !t.Failed() && statuses.Load() != runs {
			t.Errorf("want %d runs, got %d", runs, statuses.Load())
		}
	})
}

// soakStream gives a mutated CR to a verb, or in a ResourceList to the function.
func soakStream(t *testing.T, seed uint64, crs []string) {
	t.Helper()
	text := Mutate(seed, crs[seed%uint64(len(crs))], crs)
	known := []string{"--workload-architectures", "amd64,arm64", "--set", "lock=Require"}
	switch seed / 3 % 4 {
	case 0:
		Run(t, append([]string{"render", "-"}, known...), text, Limits{})
	case 1:
		Run(t, append([]string{"check", "-", "-o", "json"}, known...), text, Limits{})
	case 2:
		Run(t, []string{"forecast", "-", "--workload-architectures", "amd64,arm64"}, text, Limits{})
	default:
		items := "- " + strings.ReplaceAll(strings.ReplaceAll(text, "\n---\n", "\n- "), "\n", "\n  ")
		config := "functionConfig:\n  apiVersion: goldenarch.dev/v1alpha1\n  kind: GoldenImages\n  metadata: {name: g}\n" +
			"  spec: {lock: {mode: Require}, cluster: {workloadArchitectures: [amd64]}}\n"
		Run(t, nil, "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"+config+"items:\n"+items+"\n", Limits{})
	}
}

// kustomizations are what the kustomizations of the soak are made of.
var kustomizations = []string{
	"resources:\n- cr.yaml\n- lock.yaml\ntransformers:\n- golden.yaml\nnamePrefix: a-\nlabels:\n- pairs: {a: b}\n  includeSelectors: true\n",
	`resources: [cr.yaml]
patches:
- path: patch.yaml
- patch: |-
    - op: add
      path: /metadata/labels
      value: {a: b}
  target: {kind: HyperConverged}
`,
	"resources: [cr.yaml]\nconfigMapGenerator:\n- name: c\n  files: [a=cr.yaml]\n  literals: [b=c]\ncomponents: [component]\n",
	"resources: [cr.yaml, component]\nreplacements:\n- source: {kind: HyperConverged, fieldPath: metadata.name}\n" +
		"  targets:\n  - select: {kind: ConfigMap}\n    fieldPaths: [data.a]\n    options: {create: true}\n",
	"generators:\n- |-\n  apiVersion: builtin\n  kind: ConfigMapGenerator\n  metadata: {name: c}\n  files: [cr.yaml]\nresources: [cr.yaml]\ncrds: [cr.yaml]\n",
}

// soakKustomization builds a tree of which one file is mutated.
func soakKustomization(t *testing.T, seed uint64, crs []string) {
	t.Helper()
	files := map[string]string{
		"kustomization.yaml": kustomizations[seed/3%uint64(len(kustomizations))],
		"cr.yaml":            crs[seed%uint64(len(crs))],
		"patch.yaml":         "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\nspec: {}\n",
		"lock.yaml":          "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: lock}\nimages: []\n",
		"golden.yaml": `apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: g}
spec: {cluster: {workloadArchitectures: [amd64]}}
`,
		"component/kustomization.yaml": "kind: Component\nconfigMapGenerator:\n- name: d\n  literals: [a=b]\n",
	}
	mutated := []string{"kustomization.yaml", "kustomization.yaml", "golden.yaml", "patch.yaml", "cr.yaml", "component/kustomization.yaml"}[seed%6]
	files[mutated] = Mutate(seed, files[mutated], append(crs, kustomizations...))
	dir := filetest.New(t, files)
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o750); err != nil {
		t.Fatal(err)
	}
	Run(t, []string{"render", ".", "--offline", "--workload-architectures", "amd64,arm64"}, "", Limits{Dir: dir})
}

// soakIndex has a registry answer with a mutated manifest, index or configuration.
func soakIndex(t *testing.T, seed uint64) {
	t.Helper()
	artifacts := []registrytest.Artifact{
		registrytest.Index("linux/amd64", "linux/arm64/v8", "linux/s390x"), registrytest.DockerList("linux/amd64", "linux/arm64"),
		registrytest.AttestedIndex("linux/amd64", "linux/arm64"), registrytest.BareIndex("linux/amd64", "linux/arm64"), registrytest.Image("linux/amd64"),
	}
	store := registrytest.NewStore()
	store.Push("x/y:1", artifacts[seed/3%uint64(len(artifacts))])
	front := httptest.NewServer(mutating(seed, store))
	defer front.Close()
	host := strings.TrimPrefix(front.URL, "http://")
	got := Run(t, []string{"resolve", host + "/x/y:1", "-o", "json", "--set", "registryInsecure=" + host, "--set", "registryTimeout=5s"}, "", Limits{})
	if strings.Contains(got.Stdout, "\x1b") || strings.Contains(got.Stderr, "\x1b") {
		t.Errorf("an escape sequence of a registry reaches the terminal:\n%q\n%q", got.Stdout, got.Stderr)
	}
}

// mutating changes the bodies, media types and codes of a registry.
func mutating(seed uint64, of http.Handler) http.Handler {
	others := []string{`{"schemaVersion":2,"manifests":[{},{}]}`, `{"architecture":"amd64","os":"linux"}`, `{"errors":[{"code":"DENIED","message":"no"}]}`}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		of.ServeHTTP(answer, r)
		for key, values := range answer.Header() {
			if key != "Content-Length" && (key != "Docker-Content-Digest" || seed%2 == 0) {
				w.Header()[key] = values
			}
		}
		code := answer.Code
		if seed%7 == 0 {
			code = []int{200, 204, 206, 301, 401, 403, 404, 416, 418, 500, 599}[seed/7%11]
		}
		if seed%11 == 0 {
			w.Header().Set("Content-Type", Mutate(seed, w.Header().Get("Content-Type"), others))
		}
		w.WriteHeader(code)
		_, _ = w.Write([]byte(Mutate(seed, answer.Body.String(), others)))
	})
}

// goldenInputs returns the inputs of the function's golden directories.
func goldenInputs(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../fn/testdata/golden/*/input.yaml")
	if err != nil || len(files) < 100 {
		t.Fatalf("want at least 100 golden inputs, got %d (%v)", len(files), err)
	}
	var out []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	return out
}
