package yamledit_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestLinesOfALiteralBlock: a literal block keeps the bytes of each line that stays, with
// any header, indentation and line breaks, also blanks in lines that are otherwise empty.
func TestLinesOfALiteralBlock(t *testing.T) {
	t.Parallel()
	edited := 0
	for seed := range cases(t) {
		r := rand.New(rand.NewPCG(seed, 7))
		indent := 1 + r.IntN(4)
		header := []string{"|", "|-", "|+", "|  # why", "|-2"}[r.IntN(5)]
		if header == "|-2" {
			indent = 2
		}
		lineBreak := []string{"\n", "\r\n"}[r.IntN(2)]
		var physical []string
		for i := range 2 + r.IntN(8) {
			line := []string{"a: 1", "b:  # x  ", "  - c", "", "# d", "\te", "f: \"g\""}[r.IntN(7)]
			if i == 0 {
				line = "first:"
			}
			if line == "" {
				line = strings.Repeat(" ", r.IntN(indent+1))
			} else {
				line = strings.Repeat(" ", indent) + line
			}
			physical = append(physical, line)
		}
		physical = append(physical, strings.Repeat(" ", indent)+"last: 1")
		trailing := strings.Repeat(lineBreak, r.IntN(3))
		text := func(lines []string) string {
			return "k: " + header + lineBreak + strings.Join(lines, lineBreak) + lineBreak + trailing + "z: 1" + lineBreak
		}
		before := text(physical)
		tree := parsed(t, before)
		value := tree.Content[1].Value
		at := 1 + r.IntN(len(physical)-1)
		lines := strings.Split(value, "\n")
		lines = append(lines[:at:at], append([]string{"new: line", "", "  - more"}, lines[at:]...)...)
		tree.Content[1].Value = strings.Join(lines, "\n")
		in := strings.Repeat(" ", indent)
		after := append(physical[:at:at], append([]string{in + "new: line", "", in + "  - more"}, physical[at:]...)...)
		got, err := rewritten([]byte(before), tree)
		if err != nil {
			t.Fatalf("seed %d: %v\n%q", seed, err, before)
		}
		var doc yaml.Node
		if err := yaml.Unmarshal(got, &doc); err != nil || doc.Content[0].Content[1].Value != tree.Content[1].Value {
			t.Fatalf("seed %d: %v\n%q\n%q", seed, err, before, got)
		}
		if want := text(after); string(got) == want {
			edited++
		} else if len(got) != len(want) { // the same lines may be aligned in another way
			t.Fatalf("seed %d:\n%q\nwant\n%q\ngot\n%q", seed, before, want, got)
		}
	}
	if edited < int(cases(t))*9/10 {
		t.Errorf("only %d texts are as expected", edited)
	}
}
