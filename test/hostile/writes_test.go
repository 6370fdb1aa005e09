//go:build unix

package hostile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

const (
	fixable = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  dataImportCronTemplates:
  - metadata: {name: a-image-cron, annotations: {ssp.kubevirt.io/dict.architectures: "amd64"}}
    spec: {managedDataSource: a, schedule: "0 0 * * *", template: {spec: {source: {registry: {url: "docker://r.io/a:1"}}}}}
`
	stated = `apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: g}
spec:
  release: "1.17"
  cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}
  overrides: [{image: "r.io/a:1", architectures: [amd64, arm64]}]
`
	emptyLock = `apiVersion: goldenarch.dev/v1alpha1
kind: ArchitectureLock
metadata: {name: l}
images: []
`
)

// snapshot returns the texts of all files.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		out[path[len(dir)+1:]] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestWrites: nothing that somebody puts into a repository makes a verb write out of it, or
// into Git's own directory.
func TestWrites(t *testing.T) {
	t.Parallel()
	repository := map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "", ".git/refs/x": ""}
	with := func(files map[string]string) map[string]string {
		out := map[string]string{}
		for _, more := range []map[string]string{repository, files} {
			for name, text := range more {
				out["top/"+name] = text
			}
		}
		out["outside/hco.yaml"], out["outside/golden-images.lock.yaml"] = fixable, emptyLock
		return out
	}
	for name, tc := range map[string]struct {
		files  map[string]string
		links  map[string]string
		args   []string
		status int
		says   string
	}{
		"LinkedDirectory": {
			files: with(map[string]string{"g.yaml": stated}), links: map[string]string{"top/d": "../outside"},
			args: []string{"fix", "d/hco.yaml", "g.yaml"}, status: 1, says: "leads out of the tree",
		},
		"LinkedDirectoryShown": {
			files: with(map[string]string{"g.yaml": stated}), links: map[string]string{"top/d": "../outside"},
			args: []string{"fix", "--diff", "d/hco.yaml", "g.yaml"}, status: 1, says: "leads out of the tree",
		},
		"LinkedFile": {
			files: with(map[string]string{"g.yaml": stated}), links: map[string]string{"top/hco.yaml": "../outside/hco.yaml"},
			args: []string{"fix", "hco.yaml", "g.yaml"}, status: 1, says: "leads out of the tree",
		},
		"LinkedCustomized": {
			files: with(map[string]string{"g.yaml": stated}), links: map[string]string{"top/d": "../outside"},
			args: []string{"customize", "a-image-cron", "--disable", "d/hco.yaml"}, status: 1, says: "leads out of the tree",
		},
		"LinkedInitialized": {
			files: with(nil), links: map[string]string{"top/d": "../outside"},
			args:   []string{"init", "d", "--host", "kpt", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64", "--release", "1.17"},
			status: 1,
		},
		"LinkedInitializedInPlace": {
			files: with(nil), links: map[string]string{"top/d": "../outside"},
			args: []string{
				"init", "d", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64", "--release", "1.17", "--image", "r.io/a:1=amd64,arm64",
			},
			status: 1, says: "leads out of the tree",
		},
		"LinkedLock": {
			files: with(map[string]string{"hco.yaml": fixable}), links: map[string]string{"top/golden-images.lock.yaml": "../outside/golden-images.lock.yaml"},
			args: []string{"lock", "hco.yaml", "--set=registryRetries=0"}, status: 1, says: "leads out of the tree",
		},
		"LinkedToGit": {
			files: with(map[string]string{".git/hco.yaml": fixable, "g.yaml": stated}), links: map[string]string{"top/d": ".git"},
			args: []string{"fix", "d/hco.yaml", "g.yaml"}, status: 1, says: "Git's own directory",
		},
		"GitOfAnotherCase": {
			files: with(map[string]string{"sub/.GIT/hco.yaml": fixable, "g.yaml": stated}),
			args:  []string{"fix", "sub/.GIT/hco.yaml", "g.yaml"}, status: 1, says: "Git's own directory",
		},
		"GitWithIgnoredCharacters": {
			files: with(map[string]string{"sub/.g\u200cit/hco.yaml": fixable, "g.yaml": stated}),
			args:  []string{"fix", "sub/.g\u200cit/hco.yaml", "g.yaml"}, status: 1, says: "Git's own directory",
		},
		"GitByItsShortName": {
			files: with(map[string]string{"sub/git~1/hco.yaml": fixable, "g.yaml": stated}),
			args:  []string{"fix", "sub/git~1/hco.yaml", "g.yaml"}, status: 1, says: "Git's own directory",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filetest.New(t, tc.files)
			for name, to := range tc.links {
				if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
			before := snapshot(t, dir)
			got := Run(t, tc.args, "", Limits{Dir: filepath.Join(dir, "top"), Once: true})
			if got.Status != tc.status || !strings.Contains(got.Stdout+got.Stderr, tc.says) {
				t.Errorf("status %d, want %d with %q:\n%s", got.Status, tc.status, tc.says, got.Stdout+got.Stderr)
			}
			after := snapshot(t, dir)
			for name := range after {
				if after[name] != before[name] {
					t.Errorf("it wrote %s:\n%s", name, after[name])
				}
			}
		})
	}
}
