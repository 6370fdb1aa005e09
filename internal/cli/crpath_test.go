package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nested returns a text as the value of the keys a and b of a values file.
func nested(text string) string {
	var out strings.Builder
	out.WriteString("# values\na:\n  - 1\n  - b:\n")
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			line = "      " + line
		}
		out.WriteString(line)
	}
	return out.String()
}

// TestCRPathEditsAsInAFile: what fix writes at a place inside a file is, byte for byte,
// what it writes into a file that has the same CR alone.
func TestCRPathEditsAsInAFile(t *testing.T) {
	t.Parallel()
	held := 0
	for _, dir := range []string{"four_blanks_and_comments", "empty_spec", "flow_style", "anchors_elsewhere", "dump_with_template", "spec_null_kind_first"} {
		tree := repository(t, filepath.Join("testdata", "fix", dir))
		text := golden(t, filepath.Join("testdata", "fix", dir, "tree"), "hyperconverged.yaml")
		if _, after, has := strings.Cut(text, "\n---\n"); has {
			text = after
		}
		values := filepath.Join(tree, "values", "values.yaml")
		alone := filepath.Join(tree, "hyperconverged.yaml")
		for path, text := range map[string]string{values: nested(text), alone: text} {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, messages, status := runIn(t, tree, "fix", "hyperconverged.yaml", "--config", "golden-images.yaml"); status != statusOK {
			t.Fatalf("%s: status %d\n%s", dir, status, messages)
		}
		rendered, messages, status := runIn(t, tree, "render", "--cr-path", "values/values.yaml#a[1].b", "--config", "golden-images.yaml")
		if status != statusOK {
			t.Fatalf("%s: status %d\n%s", dir, status, messages)
		}
		if _, messages, status := runIn(t, tree, "fix", "--cr-path", "values/values.yaml#a[1].b", "--config", "golden-images.yaml"); status != statusOK {
			t.Fatalf("%s: status %d\n%s", dir, status, messages)
		}
		want := nested(golden(t, tree, "hyperconverged.yaml"))
		if diff := cmp.Diff(want, golden(t, filepath.Dir(values), "values.yaml")); diff != "" {
			t.Errorf("%s: fix (-in a file +at a place):\n%s", dir, diff)
		}
		if diff := cmp.Diff(want, rendered); diff != "" {
			t.Errorf("%s: render (-in a file +at a place):\n%s", dir, diff)
		}
		if want != nested(text) {
			held++
		}
	}
	if held < 5 {
		t.Errorf("want at least 5 files that change, got %d", held)
	}
}

// TestCRPathInEveryVerb: each verb says of a CR at a place what it says of the same CR in a
// file of its own, but for the name of the file and the lines.
func TestCRPathInEveryVerb(t *testing.T) {
	t.Parallel()
	const source = "testdata/customize/customized_already"
	tree := repository(t, source)
	text := golden(t, filepath.Join(source, "tree"), "hyperconverged.yaml")
	if err := os.WriteFile(filepath.Join(tree, "values.yaml"), []byte(nested(text)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(tree, "none", "blobs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"oci-layout": `{"imageLayoutVersion": "1.0.0"}`, "index.json": `{"schemaVersion": 2, "manifests": []}`} {
		if err := os.WriteFile(filepath.Join(tree, "none", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	place := regexp.MustCompile(`(?:hyperconverged|values)\.yaml(?::\d+)?|line \d+`)
	for _, args := range [][]string{
		{"check", "--offline", "--workload-architectures", "amd64,arm64"},
		{"check", "--offline", "--workload-architectures", "amd64", "-o", "markdown"},
		{"forecast", "--workload-architectures", "amd64,arm64"},
		{"lock", "--check", "--file", "other.lock.yaml", "--replay", "none"},
		{"fix", "--check", "--offline", "--workload-architectures", "amd64,arm64"},
	} {
		out, messages, status := runIn(t, tree, append(args, "hyperconverged.yaml")...)
		outPlace, messagesPlace, statusPlace := runIn(t, tree, append(args, "--cr-path", "values.yaml#a[1].b")...)
		if !strings.Contains(out+messages, "fedora-image-cron") {
			t.Errorf("%v: want what the verb says of the template, got\n%s%s", args, out, messages)
		}
		want, got := place.ReplaceAllString(out+messages, "FILE"), place.ReplaceAllString(outPlace+messagesPlace, "FILE")
		if diff := cmp.Diff(want, got); diff != "" || status != statusPlace {
			t.Errorf("%v: %d and %d (-in a file +at a place):\n%s", args, status, statusPlace, diff)
		}
	}
}

// TestCRPathMisuse: a place that cannot be read as one is misuse, and so is a Fleet.
func TestCRPathMisuse(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"render", "--cr-path", "values.yaml"},
		{"check", "--cr-path", "values.yaml#a..b"},
		{"fix", "--cr-path", "v.yaml#a", "--fleet", "goldenarch.yaml"},
	} {
		if _, messages, status := runIn(t, t.TempDir(), args...); status != statusMisuse || !strings.Contains(messages, "--cr-path") {
			t.Errorf("%v: status %d\n%s", args, status, messages)
		}
	}
}
