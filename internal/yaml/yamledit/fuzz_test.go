package yamledit_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// FuzzEdit: an edit of any text is refused, or can be made again without a change.
func FuzzEdit(f *testing.F) {
	for i, text := range []string{
		"a: 1\nb:\n- c\n- d: e\n",
		"{\"a\": [1, {}]}",
		"? a\n: b\n? [c]\n: d\n",
		"- - a\n  -   b\n",
		"!!map\na: !!str 1\nb: ! x\n",
		"{a, b: [c: d, ? e : f]}",
		"a: >-2\n   x\n\n  y\nb: |\n",
		"\ufeff%TAG ! tag:x,2026:\n--- !a\n&b c: *b\n...\n",
		"a:\n- &x b\n- *x\n<<: {c: d}\n",
		"a: 'b\n\n  c'\r\nd: e f\r\n  g\r\n",
		"\"\\u2028\": \"\u0085\"\n",
		"spec:\n  dataImportCronTemplates:\n  - metadata:\n      name: x\n    annotations: {}\n",
		"-\n  a: 1\n-\n",
		"a: &x\nb: !!null\nc: [\n  d, # e\n]\n",
	} {
		f.Add([]byte(text), uint64(i))
	}
	f.Fuzz(func(t *testing.T, before []byte, seed uint64) {
		var doc yaml.Node
		if err := yaml.Unmarshal(before, &doc); err != nil || len(doc.Content) != 1 || yamlnode.CheckSize(&doc) != nil {
			return
		}
		want := yaml.CopyYNode(doc.Content[0])
		expand(want)
		edited(rand.New(rand.NewPCG(seed, 3)), want, 0)
		got, err := rewritten(before, want)
		if err != nil {
			return
		}
		again, err := rewritten(got, want)
		if err != nil || !bytes.Equal(got, again) {
			t.Errorf("%q is %q, and then %q (%v)", before, got, again, err)
		}
	})
}
