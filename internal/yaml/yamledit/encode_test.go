package yamledit

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// TestPlainWords: a text that is written without kyaml's encoder is what the encoder writes.
func TestPlainWords(t *testing.T) {
	t.Parallel()
	words := []string{
		"amd64", "kubernetes.io/arch", "matchExpressions", "In", "a", "A_b", "true", "True", "null", "Null", "yes", "y", "No", "off", "NaN", "inf",
		"e1", "a.b", "x/y", "a-", "a:", "a b", "1", "1e3", "0x1", "2001-01-01", ".nan", "~", "-a", "", "a#", "infinity", "FALSE", "nUlL", "é",
	}
	fast := 0
	check := func(word string) {
		for _, tag := range []string{"", yaml.NodeTagString} {
			for _, flow := range []bool{inBlock, inFlow} {
				n := &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: word}
				if !isPlainWord(n) {
					continue
				}
				fast++
				if want := encoded(n, 0, flow); n.Value != want && !oldWord[strings.ToLower(n.Value)] {
					t.Errorf("%q (tag %q, in brackets: %v): want %s", word, tag, flow, want)
				}
			}
		}
	}
	for _, word := range words {
		check(word)
	}
	if fast < 40 {
		t.Errorf("want most of the words written directly, got %d", fast)
	}
	rapid.Check(t, func(t *rapid.T) { check(rapid.StringMatching(`[A-Za-z][A-Za-z0-9._/-]{0,8}`).Draw(t, "word")) })
}

// TestEditsOfWordsAllocateLittle adds a node affinity to a Deployment. A run writes the same
// few words into each of a thousand.
func TestEditsOfWordsAllocateLittle(t *testing.T) {
	const before = "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n      - name: app\n        image: quay.io/a/b:1\n"
	const added = "      affinity:\n        nodeAffinity:\n          requiredDuringSchedulingIgnoredDuringExecution:\n            nodeSelectorTerms:\n" +
		"            - matchExpressions:\n              - key: kubernetes.io/arch\n                operator: In\n                values:\n" +
		"                - amd64\n                - arm64\n"
	want := yamlnode.Unplaced(yaml.MustParse(before + added).YNode())
	const most = 600
	got := testing.AllocsPerRun(20, func() {
		text, err := Update([]byte(before), want)
		if err != nil || string(text) != before+added {
			t.Fatalf("%v\n%s", err, text)
		}
	})
	if got > most {
		t.Errorf("want at most %d allocations for an edit, got %.0f", most, got)
	}
}
