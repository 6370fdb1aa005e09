// Package near finds the word that the user probably meant. The word differs from what the
// user wrote in case, a separator, a plural or a typing error.
//
// The package is pure: no network, no files, no clock, no environment.
package near

import (
	"slices"
	"strings"
)

// Word returns the word that is nearest to written. It returns "" if no word is near, or if
// written is one of the words.
func Word(written string, words []string) string {
	if slices.Contains(words, written) {
		return ""
	}
	folded := fold(written)
	best, least := "", slips(folded)+1
	for _, word := range slices.Sorted(slices.Values(words)) {
		other := fold(word)
		apart := max(len(folded)-len(other), len(other)-len(folded))
		if apart >= least || apart > slips(other) {
			continue // the words differ by at least that many letters
		}
		if d := Distance(folded, other); d < least && d <= slips(other) {
			best, least = word, d
		}
	}
	return best
}

// slips returns how many typing errors a word may have and still match another word. A
// short word may have none.
func slips(word string) int {
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

// Distance returns how many letters to insert, delete, replace or swap with an adjacent one
// to turn one word into the other (optimal string alignment).
func Distance(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
