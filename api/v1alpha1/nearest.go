package v1alpha1

import (
	"fmt"
	"slices"
	"strings"
)

// oneOf returns the text for a word that is not one of the expected ones. It suggests
// the nearest one.
func oneOf(what, got string, expected []string) string {
	return fmt.Sprintf("unknown %s %q: expected one of %s%s", what, got, strings.Join(expected, ", "), didYouMean(got, expected))
}

// didYouMean returns a hint at the nearest of the words, or "" if none is near. A word
// that was cut short ("arch") is near, however long its rest is.
func didYouMean(got string, words []string) string {
	best, least := "", len(got)/2+2
	for _, word := range slices.Sorted(slices.Values(words)) {
		got, lower := strings.ToLower(got), strings.ToLower(word)
		d := distance(got, lower)
		if len(got) >= 3 && strings.HasPrefix(lower, got) {
			d = min(d, 1)
		}
		if d < least {
			best, least = word, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// distance returns how many letters to insert, delete, replace or swap with an adjacent one
// to turn one word into the other (optimal string alignment).
func distance(a, b string) int {
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
