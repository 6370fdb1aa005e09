package english

import (
	"fmt"
	"testing"
)

// TestPlainEnglish is the check that `make lint` runs.
func TestPlainEnglish(t *testing.T) {
	t.Parallel()
	source := readSource(t)
	for kind, texts := range map[string][]text{"pages": pages(t), "literals": source.literals} {
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
