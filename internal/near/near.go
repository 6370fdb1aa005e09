// Package near finds the word that somebody meant to write: one that case, a
// separator, a plural or a slip of the keyboard sets apart from what is written.
//
// The package is pure: no network, no files, no clock, no environment.
package near

import (
	"slices"
	"strings"
)

// Word returns the one of the words that is nearest to what is written, "" if
// none is near, or if what is written is one of them.
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
			continue // as many letters are missing at least
		}
		if d := Distance(folded, other); d < least && d <= slips(other) {
			best, least = word, d
		}
	}
	return best
}

// slips is how many slips a word may have, and still be reported from another word:
// none in a short one.
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

// Distance is how many letters to insert, delete, replace or swap with their
// neighbour to make one word of the other (optimal string alignment).
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
