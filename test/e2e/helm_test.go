package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const helmExample = "examples/helm"

// TestHelm calls goldenarch as Helm does a post-renderer: what Helm has rendered
// on standard input, what is applied on standard output, and a status.
func TestHelm(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	dir := copied(t, helmExample)
	data, err := os.ReadFile(filepath.Join(dir, "rendered.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	chart := string(data)

	t.Run("PostRenderer", func(t *testing.T) {
		t.Parallel()
		got := shell(t, r, dir, "goldenarch "+pluginArguments(t)+" < rendered.yaml")
		if got.status != 0 {
			t.Fatalf("status %d\n%s", got.status, got.stderr)
		}
		var promised []string
		for line := range strings.Lines(blocks(t, helmExample+"/README.md", "diff")[0]) {
			if line, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "+"); ok {
				promised = append(promised, line)
			}
		}
		// Every line is still there, Helm's comment with the source among them.
		if diff := cmp.Diff(promised, added(t, chart, got.stdout)); diff != "" {
			t.Errorf("-README +output:\n%s", diff)
		}
	})
	t.Run("Failure", func(t *testing.T) {
		t.Parallel()
		got := shell(t, r, dir, "goldenarch render - < rendered.yaml") // nothing tells of the nodes
		if got.status != 1 || got.stdout != "" || !strings.Contains(got.stderr, "error GA114") {
			t.Errorf("Helm would apply something: %+v", got)
		}
	})
	t.Run("NoCR", func(t *testing.T) {
		t.Parallel()
		const other = "---\n# Source: other/templates/map.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map\n"
		write(t, filepath.Join(dir, "other.yaml"), other)
		got := shell(t, r, dir, "goldenarch "+pluginArguments(t)+" < other.yaml")
		if got.status != 0 || !strings.HasSuffix(other, got.stdout) || got.stdout == "" {
			t.Errorf("it is not passed through: %+v", got)
		}
	})
	t.Run("Chart", func(t *testing.T) {
		t.Parallel()
		const template = "chart/templates/hyperconverged.yaml"
		got := shell(t, r, dir, "goldenarch render "+template+" rendered.yaml --config golden-images.yaml")
		if got.status != 0 || !strings.Contains(got.stderr, "warning GA002 ("+template+")") {
			t.Errorf("a template is named and skipped: %+v", got)
		}
		if got := shell(t, r, dir, "goldenarch render --strict "+template+" rendered.yaml --config golden-images.yaml"); got.status != 1 || got.stdout != "" {
			t.Errorf("with --strict it is an error: %+v", got)
		}
	})
}

// pluginArguments are what Helm 4's plugin calls goldenarch with; the README has
// the same for Helm 3.
func pluginArguments(t *testing.T) string {
	t.Helper()
	var plugin struct {
		RuntimeConfig struct {
			PlatformCommand []struct {
				Command string
				Args    []string
			}
		}
	}
	decode(t, helmExample+"/plugin/plugin.yaml", &plugin)
	call := plugin.RuntimeConfig.PlatformCommand[0]
	readme, err := os.ReadFile(filepath.Join(repository(t), helmExample, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	three := "--post-renderer-args " + strings.Join(call.Args, " --post-renderer-args ")
	if call.Command != "goldenarch" || !strings.Contains(string(readme), three) {
		t.Fatalf("Helm 3 and Helm 4 are to call the same: %q is not in the README", three)
	}
	return strings.Join(call.Args, " ")
}
