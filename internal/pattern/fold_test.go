package pattern_test

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

func TestContainsFold(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		want         bool
	}{
		{"as it is written", "kind: HyperConverged", true},
		{"in other letters", "KIND: hYPERcONVERGED\n", true},
		{"the text is the word", "hyperconverged", true},
		{"the word is cut at the end", "xx hyperconverge", false},
		{"the word is cut at the beginning", "perconverged", false},
		{"the rare letter is there without the word", "v V vvv", false},
		{"nothing", "", false},
	} {
		if got := pattern.ContainsFold([]byte(tc.text), "HyperConverged"); got != tc.want {
			t.Errorf("%s: got %t, want %t", tc.reason, got, tc.want)
		}
	}
}

// FuzzContainsFold holds it against a regular expression.
func FuzzContainsFold(f *testing.F) {
	f.Add([]byte("kind: HYPERconverged"))
	expression := regexp.MustCompile(`(?i)hyperconverged`)
	f.Fuzz(func(t *testing.T, text []byte) {
		if got, want := pattern.ContainsFold(text, "hyperconverged"), expression.Match(text); got != want {
			t.Errorf("%q: got %t, the expression says %t", text, got, want)
		}
	})
}

func BenchmarkContainsFold(b *testing.B) {
	text := bytes.Repeat([]byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: provider\n"), 1000)
	expression := regexp.MustCompile(`(?i)hyperconverged`)
	for name, has := range map[string]func() bool{
		"ContainsFold": func() bool { return pattern.ContainsFold(text, "hyperconverged") },
		"Expression":   func() bool { return expression.Match(text) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if has() {
					b.Fatal("it is not there")
				}
			}
		})
	}
}
