package cli

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOneClusterIsNamed: a verb for one cluster says how to name one, where a directory has
// kustomizations below it and none itself.
func TestOneClusterIsNamed(t *testing.T) {
	t.Parallel()
	const kustomization = "resources: [hco.yaml]\n"
	overlays := map[string]string{
		"repo/a/hco.yaml": plainCR, "repo/a/kustomization.yaml": kustomization, "repo/b/hco.yaml": plainCR, "repo/b/kustomization.yaml": kustomization,
	}
	beside := map[string]string{"repo/hco.yaml": plainCR, "repo/app/cm.yaml": onlyOwn, "repo/app/kustomization.yaml": "resources: [cm.yaml]\n"}
	values := maps.Clone(beside)
	values["repo/values.yaml"], values["repo/install-config.yaml"] = "a: b\n", "apiVersion: v1\nbaseDomain: example.com\n"
	for _, tc := range []struct {
		reason, verb, want string
		files              map[string]string
	}{
		{"a file beside a kustomization, and files without objects", "render", "Run goldenarch render repo/hco.yaml --release 1.19", values},
		{"an overlay", "render", "Run goldenarch render repo/a --release 1.19, or the same for another one of: repo/a, repo/b\n", overlays},
		{"an overlay, of another verb", "forecast", "Run goldenarch forecast repo/a --release 1.19, or", overlays},
		{"a plan", "plan", "Run goldenarch plan repo/a --release 1.19, or", overlays},
		{"a file beside a kustomization", "render", "Run goldenarch render repo/hco.yaml --release 1.19", beside},
	} {
		_, messages, status := runIn(t, writeTree(t, tc.files), tc.verb, "repo", "--release", "1.19")
		if status != statusFailed || !strings.Contains(messages, "name the directory to build. "+tc.want) {
			t.Errorf("%s: status %d, want %q\n%s", tc.reason, status, tc.want, messages)
		}
	}
}

// TestPlacesAreReadOnce: a place that several paths name is one input. goldenarch took the CR for
// two.
func TestPlacesAreReadOnce(t *testing.T) {
	t.Parallel()
	flags := []string{"--workload-architectures", "amd64", "--offline"}
	for _, tc := range []struct {
		reason string
		paths  []string
	}{
		{"a file, twice", []string{"repo/hco.yaml", "repo/hco.yaml"}},
		{"a file, in two spellings", []string{"repo/hco.yaml", "./repo/../repo/hco.yaml"}},
		{"a file, through a link", []string{"repo/hco.yaml", "link.yaml"}},
		{"a directory, twice", []string{"repo", "repo/"}},
		{"a directory, and a file in it", []string{"repo", "repo/hco.yaml"}},
		{"a file, and its directory", []string{"repo/hco.yaml", "repo"}},
		{"a kustomization, twice", []string{"overlay", "./overlay"}},
	} {
		dir := writeTree(t, map[string]string{
			"repo/hco.yaml": plainCR, "overlay/hco.yaml": plainCR, "overlay/kustomization.yaml": "resources: [hco.yaml]\n",
		})
		if err := os.Symlink(filepath.Join("repo", "hco.yaml"), filepath.Join(dir, "link.yaml")); err != nil {
			t.Fatal(err)
		}
		for _, verb := range []string{"render", "check", "fix --diff"} {
			once, messages, want := runIn(t, dir, append(append(strings.Fields(verb), tc.paths[0]), flags...)...)
			twice, more, status := runIn(t, dir, append(append(strings.Fields(verb), tc.paths...), flags...)...)
			if diff := cmp.Diff(once+messages, twice+more); diff != "" || status != want {
				t.Errorf("%s, %s: ends with %d, not %d (-once +twice):\n%s", verb, tc.reason, status, want, diff)
			}
		}
	}
}

// TestBundleIsWhole: a bundle is judged by all its manifests, also by those that another path
// names.
func TestBundleIsWhole(t *testing.T) {
	t.Parallel()
	dir := writeTree(t, map[string]string{
		"b/metadata/annotations.yaml": "annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n" +
			"  operators.operatorframework.io.bundle.manifests.v1: manifests/\n",
		"b/manifests/csv.yaml": "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: x.v1}\nspec: {}\n",
	})
	for _, paths := range [][]string{{"b"}, {"b", "b/manifests/csv.yaml"}, {"b/manifests/csv.yaml", "b"}, {"b/manifests", "b"}} {
		if out, messages, _ := runIn(t, dir, append([]string{"check", "--offline"}, paths...)...); strings.Contains(out+messages, "no ClusterServiceVersion") {
			t.Errorf("%s: the bundle has one:\n%s%s", paths, out, messages)
		}
	}
}
