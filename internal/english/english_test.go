package english

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestPlainEnglish is the check that `make lint` runs.
func TestPlainEnglish(t *testing.T) {
	t.Parallel()
	source := readSource(t)
	for kind, texts := range map[string][]text{"pages": pages(t), "literals": source.literals} {
		texts = slices.DeleteFunc(texts, func(each text) bool {
			return slices.ContainsFunc(unfinished, func(dir string) bool { return strings.HasPrefix(each.file, dir) })
		})
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			over := 0
			for _, each := range texts {
				for _, problem := range broken(each) {
					t.Error(problem)
				}
				n, sentence := longest(each.s)
				switch place := fmt.Sprintf("%s:%d", each.file, each.line); {
				case n > maxWords:
					t.Errorf("%s: a sentence of %d words, more than %d: %s", place, n, maxWords, short(sentence))
				case n > wantWords:
					over++
					t.Logf("%s: a sentence of %d words, more than %d: %s", place, n, wantWords, short(sentence))
				}
			}
			t.Logf("%d texts, %d with a sentence of more than %d words", len(texts), over, wantWords)
		})
	}
}

// unfinished are the parts that are not rewritten yet.
var unfinished = []string{"docs/", "examples/", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "internal/pipeline", "internal/images", "internal/cli", "internal/report", "internal/input", "internal/operators/forecast", "internal/operators/admission", "internal/operators/cdi", "internal/operators/expansion", "internal/finding/id.go", "internal/yaml", "internal/shape", "internal/bound", "api", "fn", "generators", "transformers", "internal/durable", "internal/demo", "internal/regular"}
