package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// packagesOfClusters has the pipeline of one package run on two packages below it, which
// are clusters with files and objects of the same names.
func packagesOfClusters(t *testing.T, r runner, kpt string) {
	t.Parallel()
	example := tree(t, filepath.Join(repository(t), "examples/kpt"))
	write := func(dir, name, text string) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(t.TempDir(), "clusters")
	write(dir, "Kptfile",
		"apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: clusters\npipeline:\n  mutators:\n  - exec: goldenarch\n    configPath: golden-images.yaml\n")
	write(dir, "golden-images.yaml", example["golden-images.yaml"]+"  platform: kubernetes\n  expand: {mode: Emit}\n")
	write(dir, "golden-images.lock.yaml", example["golden-images.lock.yaml"])
	onlyARM := strings.ReplaceAll(example["nodes.yaml"], "architecture: amd64", "architecture: arm64")
	for name, nodes := range map[string]string{"mixed": example["nodes.yaml"], "edge": onlyARM} {
		below := filepath.Join(dir, name)
		write(below, "Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: "+name+"\n")
		write(below, "hyperconverged.yaml", example["hyperconverged.yaml"])
		write(below, "nodes.yaml", nodes)
	}
	got := r.run(t, kpt, "fn", "render", dir, "--allow-exec", "--truncate-output=false", "--results-dir", t.TempDir())
	if got.status != 0 {
		t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
	// The appliance of the example is for amd64 alone.
	after := tree(t, dir)
	for file, want := range map[string]bool{
		"mixed/golden-images/dataimportcron-fedora-image-cron-amd64.yaml": true, "mixed/golden-images/dataimportcron-fedora-image-cron-arm64.yaml": true,
		"mixed/golden-images/dataimportcron-appliance-image-cron-amd64.yaml": true, "edge/golden-images/dataimportcron-fedora-image-cron-arm64.yaml": true,
		"edge/golden-images/dataimportcron-fedora-image-cron-amd64.yaml": false, "edge/golden-images/dataimportcron-appliance-image-cron-amd64.yaml": false,
	} {
		if _, is := after[file]; is != want {
			t.Errorf("%s is there: %v, want %v", file, is, want)
		}
	}
	for name, disabled := range map[string]bool{"mixed": false, "edge": true} {
		if strings.Contains(after[name+"/hyperconverged.yaml"], `enable: "false"`) != disabled {
			t.Errorf("%s: want the appliance disabled: %v\n%s", name, disabled, after[name+"/hyperconverged.yaml"])
		}
	}
	if again := r.run(t, kpt, "fn", "render", dir, "--allow-exec"); again.status != 0 {
		t.Fatalf("second run: status %d\n%s%s", again.status, again.stdout, again.stderr)
	}
	if diff := cmp.Diff(after, tree(t, dir)); diff != "" {
		t.Errorf("a second run changed something:\n%s", diff)
	}
}

// eachFindingOnce: kpt prints the results of a function, and what it writes to standard
// error.
func eachFindingOnce(t *testing.T, r runner, kpt string) {
	t.Parallel()
	for name, drop := range map[string]string{"Passed": "", "Failed": "nodes.yaml"} {
		dir, results := copied(t, "examples/kpt"), t.TempDir()
		if drop != "" {
			if err := os.Remove(filepath.Join(dir, drop)); err != nil {
				t.Fatal(err)
			}
		}
		got := r.run(t, kpt, "fn", "render", dir, "--allow-exec", "--truncate-output=false", "--results-dir", results)
		said := got.stdout + got.stderr
		found := map[string]int{} // by id: several findings may share one
		for line := range strings.SplitSeq(tree(t, results)["results.yaml"], "\n") {
			if message, ok := strings.CutPrefix(strings.TrimSpace(line), "goldenarch.dev/finding: "); ok {
				found[message]++
			}
		}
		for id, want := range found {
			if n := strings.Count(said, id); n != want {
				t.Errorf("%s: kpt shows %s %d times, want %d:\n%s", name, id, n, want, said)
			}
		}
		if len(found) == 0 {
			t.Errorf("%s: this proves nothing:\n%s", name, fmt.Sprint(got))
		}
	}
}
