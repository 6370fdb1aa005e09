package yamlnode_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// asKustomize makes all steps of kustomize (kustomize api/resource/resource.go: AsYAML).
func asKustomize(n *yaml.RNode) (string, error) {
	data, err := n.MarshalJSON()
	if err != nil {
		return "", fmt.Errorf("encode as JSON: %w", err)
	}
	text, err := k8syaml.JSONToYAML(data)
	return string(text), err
}

// sameAsKustomize fails the test if a text is written otherwise than kustomize writes it. It
// reports whether AsKustomize has written it.
func sameAsKustomize(t rapid.TB, text string) bool {
	t.Helper()
	n, err := yaml.Parse(text)
	if err != nil {
		return false
	}
	got, ok := yamlnode.AsKustomize(n.YNode())
	if !ok {
		return false
	}
	want, err := asKustomize(n)
	if err != nil {
		t.Errorf("kustomize refuses what AsKustomize writes: %v\n%s", err, text)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-kustomize +AsKustomize):\n%s\n%s", diff, text)
	}
	return true
}

func TestAsKustomize(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason, in string
		written    bool
	}{
		"Object": {"", "kind: A\nspec: {b: [1, true, 'x', null, {c: ~}], a: {}, l: [], e: \"\"}\n", true},
		"Words": {
			"texts that are something else without quotes",
			"a: ['1', 'true', 'yes', '0x1', '2020-01-01', '1.5', '~', ' x ', '# x', 'a: b', '*', '1e3', '=', '<<']\n", true,
		},
		"PlainWord": {"yes is a text in YAML 1.2", "a: yes\nno: b\ny: n\non: off\n", true},
		"Sorted":    {"keys are sorted as kustomize does", "a10: 1\na9: 1\nA: 1\n_a: 1\na-b: 1\na.b: 1\na/b: 1\n\"1\": 1\n", true},
		"LongLine": {
			"", "a: " + strings.Repeat("word ", 100) + "\nb: " + strings.Repeat("x", 300) + "\nc: '" + strings.Repeat("two  spaces ", 30) + "'\n", true,
		},
		"Comments":  {"they go", "# a\na: 1 # b\n# c\n", true},
		"HTML":      {"", "a: <b>&amp;\n", true},
		"Quotes":    {"", "a: 'it''s'\nb: \"\\\"\"\nc: \\d+\n", true},
		"Empty":     {"kustomize makes a text of an empty null inside brackets", "a: {b:}\nc:\n", false},
		"Float":     {"has several forms", "a: 1.50\n", false},
		"Hex":       {"", "a: 0x10\n", false},
		"Octal":     {"", "a: 010\n", false},
		"Large":     {"", "a: 12345678901234567890\n", false},
		"Negative":  {"", "a: -1\n", false},
		"Date":      {"", "a: 2020-01-01\n", false},
		"Anchor":    {"", "a: &a 1\nb: *a\n", false},
		"Merge":     {"", "a: {b: 1}\n<<: {c: 1}\n", false},
		"Tag":       {"", "a: !!str 1\n", false},
		"Lines":     {"", "a: |\n  x\n  y\n", false},
		"Unicode":   {"", "a: ä\n", false},
		"Twice":     {"", "a: 1\na: 2\n", false},
		"NumberKey": {"", "1: a\n", false},
		"NullKey":   {"", "~: a\n", false},
		"List":      {"kustomize has no such object", "- a\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := sameAsKustomize(t, tc.in); got != tc.written {
				t.Errorf("%s: want %t, got %t", tc.reason, tc.written, got)
			}
		})
	}
}

// TestAsKustomizeOfTexts: whatever one line of ASCII is, it is written as kustomize does.
func TestAsKustomizeOfTexts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ -~]{0,120}`)
		value := func(style yaml.Style) *yaml.Node {
			return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Style: style, Value: text.Draw(t, "text")}
		}
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
		for i, style := range []yaml.Style{0, yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle, yaml.LiteralStyle} {
			key := value(0)
			key.Value = fmt.Sprint(i) + key.Value
			n.Content = append(n.Content, key, value(style))
		}
		got, ok := yamlnode.AsKustomize(n)
		if !ok {
			t.Fatal("not written")
		}
		want, err := asKustomize(yaml.NewRNode(n))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("(-kustomize +AsKustomize):\n%s", diff)
		}
	})
}

// TestAsKustomizeOfManifests: so are the manifests of this repository.
func TestAsKustomizeOfManifests(t *testing.T) {
	t.Parallel()
	all, written := 0, 0
	err := filepath.WalkDir("../../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("read a manifest: %w", err)
		}
		for text := range strings.SplitSeq("\n"+string(data), "\n---") {
			all++
			if sameAsKustomize(t, text) {
				written++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if written < all/2 {
		t.Errorf("only %d of %d are written", written, all)
	}
}
