package pattern

import (
	"bytes"
	"strings"
)

// ContainsFold reports whether a text has a word of ASCII letters, in whatever case. It
// looks for the word's rarest letter, so most of a text is passed over at the speed of
// [bytes.IndexByte]; a regular expression that ignores case takes twenty times as long,
// and is asked for each file of a repository (BenchmarkContainsFold).
func ContainsFold(text []byte, word string) bool {
	at := rarest(word)
	lower, upper := word[at]|0x20, word[at]&^0x20
	has := func(letter byte) bool {
		for from := 0; ; {
			i := bytes.IndexByte(text[from:], letter)
			if i < 0 {
				return false
			}
			start := from + i - at
			if start >= 0 && start+len(word) <= len(text) && strings.EqualFold(string(text[start:start+len(word)]), word) {
				return true
			}
			from += i + 1
		}
	}
	return has(lower) || has(upper)
}

// rarest returns the index of the letter that English text has least often.
func rarest(word string) int {
	const often = "zqxjkvbpygfwmucldrhsnioate"
	best := 0
	for i := range len(word) {
		if strings.IndexByte(often, word[i]|0x20) < strings.IndexByte(often, word[best]|0x20) {
			best = i
		}
	}
	return best
}
