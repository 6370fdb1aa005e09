package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestFleetIsFoundAbove: every verb finds the Fleet of the repository from any directory of
// it, for directories and for files, and never above the repository.
func TestFleetIsFoundAbove(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	tree := filepath.Join(outside, "repository")
	const states = "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n" +
		"- {paths: [\"clusters/*\"], workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64], release: \"1.19\"}\n"
	filetest.Write(t, tree, map[string]string{
		"clusters/a/hco.yaml":           unstated,
		"clusters/b/hco.yaml":           unstated,
		"other/hco.yaml":                unstated,
		"goldenarch.yaml":               states,
		"../goldenarch.yaml":            strings.Replace(states, "clusters/*", "repository/other", 1),
		".git/HEAD":                     "ref: refs/heads/main\n",
		"clusters/k/cr.yaml":            unstated,
		"clusters/k/kustomization.yaml": "resources: [cr.yaml]\n",
	})
	image := []string{"--offline", "--image", "registry.example/acme/a:1=amd64,arm64"}
	for _, tc := range []struct {
		reason, dir string
		args        []string
		want        bool
	}{
		{"render of a directory", tree, append([]string{"render", "clusters/a"}, image...), true},
		{"render of a file", tree, append([]string{"render", "clusters/a/hco.yaml"}, image...), true},
		{"render of a kustomization", tree, append([]string{"render", "clusters/k"}, image...), true},
		{"from within", filepath.Join(tree, "clusters/a"), append([]string{"render"}, image...), true},
		{"forecast", tree, []string{"forecast", "clusters/a"}, true},
		{"check of a directory", tree, append([]string{"check", "clusters/a"}, image...), true},
		{"check of a file", tree, append([]string{"check", "clusters/a/hco.yaml"}, image...), true},
		{"fix of a file", tree, append([]string{"fix", "--check", "clusters/a/hco.yaml"}, image...), true},
		{"fix of a directory", tree, append([]string{"fix", "--check", "clusters/a"}, image...), true},
		{"fix of a kustomization", tree, append([]string{"fix", "--check", "clusters/k"}, image...), true},
		{"another directory", tree, append([]string{"render", "other"}, image...), false},
	} {
		out, errs, status := runIn(t, tc.dir, tc.args...)
		known := !strings.Contains(out+errs, "GA114") && !strings.Contains(out+errs, "workload unknown")
		if known != tc.want || status == 2 {
			t.Errorf("%s: status %d\n%s%s", tc.reason, status, out, errs)
		}
	}
}

// TestFleetOutsideOfTheRepository: a Fleet above a repository does not count for a directory that
// is named by a link, whose name has fewer directories above it than the directory has.
func TestFleetOutsideOfTheRepository(t *testing.T) {
	t.Parallel()
	dir := writeTree(t, map[string]string{
		"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n" +
			"- {paths: [\"repository/**\"], workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64], release: \"1.19\"}\n",
		"repository/.git/HEAD": "ref: refs/heads/main\n", "repository/clusters/a/hco.yaml": unstated,
	})
	tree := filepath.Join(dir, "repository")
	if err := os.Symlink("clusters/a", filepath.Join(tree, "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"clusters/a", "link"} {
		out, errs, status := runIn(t, tree, "check", name, "--offline", "--image", "registry.example/acme/a:1=amd64,arm64")
		if status != statusFailed || !strings.Contains(out, "GA114") {
			t.Errorf("%s: status %d\n%s%s", name, status, out, errs)
		}
	}
}

// TestFilesWithLinksOfACluster: a file that a link of the same cluster leads to is one file, as
// in a directory that is one cluster.
func TestFilesWithLinksOfACluster(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, link, leads string
	}{
		{reason: "the link is above", link: "prod/link.yaml", leads: "real/hco.yaml"},
		{reason: "the link is in the same directory", link: "prod/real/link.yaml", leads: "hco.yaml"},
		{reason: "the link is one of another cluster", link: "test/link.yaml", leads: "../prod/real/hco.yaml"},
	} {
		dir := writeTree(t, map[string]string{"prod/real/hco.yaml": unstated, "lab/hco.yaml": unstated, "test/nodes.txt": ""})
		if err := os.Symlink(tc.leads, filepath.Join(dir, tc.link)); err != nil {
			t.Fatal(err)
		}
		out, errs, _ := runIn(t, dir, "check", ".", "--offline", "--image", "registry.example/acme/a:1=amd64", "--release", "1.19",
			"--workload-architectures", "amd64", "--control-plane-architectures", "amd64")
		if strings.Contains(out, "GA004") || !strings.Contains(out, "2 HyperConverged CRs") {
			t.Errorf("%s: %s\n%s", tc.reason, out, errs)
		}
	}
}

// TestFleetSaysHowAFileIsJudged: the form that a Fleet states counts for a directory and for
// a file in it alike.
func TestFleetSaysHowAFileIsJudged(t *testing.T) {
	t.Parallel()
	for as, want := range map[string]string{"rendered": "RightOnceRendered", "committed": "NotRight"} {
		dir := writeTree(t, map[string]string{
			"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n" +
				"- {paths: [prod], as: " + as + ", workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64], release: \"1.19\"}\n",
			"prod/hco.yaml": unstated,
		})
		for _, path := range []string{"prod", "prod/hco.yaml"} {
			out, errs, _ := runIn(t, dir, "check", path, "--offline", "--image", "registry.example/acme/a:1=amd64")
			if !strings.Contains(out, want) {
				t.Errorf("as %s, %s: want %s\n%s%s", as, path, want, out, errs)
			}
		}
	}
}

// TestLockTakesTheConfigurationOfTheFleet: an image whose architectures the Fleet's configuration
// states needs no lock, for a directory and for a file alike.
func TestLockTakesTheConfigurationOfTheFleet(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"prod", "prod/hco.yaml"} {
		dir := writeTree(t, map[string]string{
			"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n" +
				"- {paths: [prod, \"prod/*\"], config: config/golden-images.yaml, workloadArchitectures: [amd64], release: \"1.19\"}\n",
			"config/golden-images.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n" +
				"spec: {overrides: [{image: \"registry.example/acme/a:1\", architectures: [amd64]}]}\n",
			"prod/hco.yaml": unstated,
		})
		// The registry does not exist: a query would be an error.
		if out, errs, status := runIn(t, dir, "lock", path); status != statusOK || strings.Contains(errs, "wrote") {
			t.Errorf("%s: status %d\n%s%s", path, status, out, errs)
		}
	}
}
