package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// evalOfTheExample runs the commands of the example's README on that package.
func evalOfTheExample(t *testing.T, r runner, kpt string) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join(repository(t), "examples/kpt/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for line := range strings.Lines(string(readme)) {
		args, is := strings.CutPrefix(strings.TrimSpace(line), "kpt fn eval ")
		if !is {
			continue
		}
		commands++
		dir := copied(t, "examples/kpt")
		before := tree(t, dir)
		words := strings.Fields("fn eval " + strings.ReplaceAll(args, "examples/kpt", dir))
		if got := r.run(t, kpt, words...); got.status != 0 {
			t.Fatalf("%s: status %d\n%s%s", args, got.status, got.stdout, got.stderr)
		}
		after := tree(t, dir)
		const cr = "hyperconverged.yaml"
		if !strings.Contains(after[cr], "ssp.kubevirt.io/dict.architectures: amd64,arm64") {
			t.Errorf("%s: the CR has no claim:\n%s", args, after[cr])
		}
		after[cr] = before[cr]
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%s: another file was touched:\n%s", args, diff)
		}
	}
	if commands != 2 {
		t.Errorf("want 2 commands in the README, got %d", commands)
	}
}

// filesThatKptWritesAnew: what differs in the files that goldenarch does not change
// is kpt's work: a function that does nothing leaves the same.
func filesThatKptWritesAnew(t *testing.T, r runner, kpt string) {
	t.Parallel()
	noop := build(t, filepath.Join(repository(t), "test/bench"), "./noop", "noop")
	const file, odd = "odd.yaml", `# alone

---
apiVersion:   v1
kind: ConfigMap
metadata: {name: odd,   namespace: x}
data:
    # deep
    a: 'b'

    c:   "d"   # tail
`
	var written []string
	for _, function := range []string{noop, "goldenarch"} {
		dir := copied(t, "examples/kpt")
		write(t, filepath.Join(dir, file), odd)
		replaceIn(t, filepath.Join(dir, "Kptfile"), "exec: goldenarch", "exec: "+function)
		if got := r.run(t, kpt, "fn", "render", dir, "--allow-exec"); got.status != 0 {
			t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
		}
		written = append(written, tree(t, dir)[file])
	}
	dir := laid(t, map[string]string{file: odd})
	if got := r.run(t, kpt, "fn", "eval", dir, "--exec", "cat"); got.status != 0 {
		t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
	if diff := cmp.Diff(written[0], tree(t, dir)[file]); diff != "" {
		t.Errorf("-a function that does nothing +the command of docs/kpt.md:\n%s", diff)
	}
	if diff := cmp.Diff(written[0], written[1]); diff != "" {
		t.Errorf("-a function that does nothing +goldenarch:\n%s", diff)
	}
	const want = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: odd, namespace: x}\ndata:\n  # deep\n  a: 'b'\n  c: \"d\" # tail\n"
	if diff := cmp.Diff(want, written[0]); diff != "" {
		t.Errorf("docs/kpt.md says otherwise what kpt does (-documented +kpt):\n%s", diff)
	}
}
