// Package spelling finds the word that the user probably meant. The word differs from what the
// user wrote in case, a separator, a plural or a typing error.
//
// The package is pure: no network, no files, no clock, no environment.
package spelling

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Word returns the word that is nearest to written. It returns "" if no word is near, or if
// written is one of the words.
func Word(written string, words []string) string { return nearest(written, words, allowedTypos) }

// nearest returns the word with the least typing errors, of which it and what was written may have some.
func nearest(written string, words []string, allowed func(string) int) string {
	if slices.Contains(words, written) {
		return ""
	}
	folded := fold(written)
	sorted := slices.Sorted(slices.Values(words))
	for apart := range allowed(folded) + 1 {
		for _, word := range sorted {
			if other := fold(word); apart <= allowed(other) && within(apart, folded, other) {
				return word
			}
		}
	}
	return ""
}

// DidYouMean returns the end of a message about an unknown word: the word that the user
// probably meant. Besides what [Word] finds, that is a word that begins with what was
// written, or a short one with one typing error. It returns "" if no word is near.
func DidYouMean(written string, words []string) string {
	best := cmp.Or(Word(written, words), longer(written, words), nearest(written, words, oneTypo))
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// longer returns a word that begins with what was written.
func longer(written string, words []string) string {
	const minAbbreviation = 2 // the least number of letters in an abbreviation
	if len(written) < minAbbreviation {
		return ""
	}
	lower := strings.ToLower(written)
	for _, word := range slices.Sorted(slices.Values(words)) {
		if word != written && strings.HasPrefix(strings.ToLower(word), lower) {
			return word
		}
	}
	return ""
}

// oneTypo allows words of three letters one typing error, too: "jsn" for "json". [Word] does not correct words that short.
func oneTypo(word string) int { return min(1, len(word)/3) }

// allowedTypos returns how many typing errors a word may have and still match another word. A
// short word may have none.
func allowedTypos(word string) int {
	switch n := len(word); {
	case n < 4:
		return 0
	case n < 8:
		return 1
	default:
		return 2
	}
}

// fold returns a word without case and separators.
func fold(word string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(word))
}

// within reports whether at most so many slips turn one word into the other: a slip inserts,
// deletes or replaces a letter, or swaps two adjacent ones (optimal string alignment).
func within(slips int, a, b string) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	switch {
	case a == "" || b == "":
		return len(a)+len(b) <= slips
	case slips == 0:
		return false
	case len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] && within(slips-1, a[2:], b[2:]):
		return true
	default:
		return within(slips-1, a[1:], b) || within(slips-1, a, b[1:]) || within(slips-1, a[1:], b[1:])
	}
}
