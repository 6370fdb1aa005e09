//go:build unix

package hostile

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// spices are what a mutation puts into a text: what YAML, JSON, quantities,
// references and terminals give a meaning of their own.
var spices = []string{
	"&a ", "*a", "<<: *a", "!!binary ", "!!python/object:x ", "? ", ": ", "- ", "---\n", "...\n", "%YAML 1.1\n", "{", "}", "[", "]", "|", ">-", "#", "\t",
	"null", "~", "true", "0x1f", "0o17", "1e999999999", "1e-999999999", "-0", ".inf", ".nan", "9223372036854775808", "2001-01-01",
	"\"", "'", "\\", "\x00", "\x1b[31m", "\r\n", "\r", "\u2028", "\u0085", "\ufeff", "\u202e", "\xff\xfe", "::error::x", "%0A", "${x}", "{{ .x }}", "$(x)",
	"amd64, arm64", "x86_64", "ARM64", "docker://", "docker://169.254.169.254/x/y:1", "@sha256:0", "../../../etc/passwd", "/dev/zero", "http://127.0.0.1:1/",
	"apiVersion: v1\n", "kind: List\nitems:\n", "metadata: [a]\n", "spec: {}\n", "metadata:\n  annotations: {config.kubernetes.io/local-config: \"true\"}\n",
	strings.Repeat("[", 300), strings.Repeat("a: ", 40), strings.Repeat("x", 5000),
}

// Mutate returns the text with one to six changes, the same for one seed:
// lines go, move, repeat and shift, bytes change, pieces of others come in.
func Mutate(seed uint64, text string, others []string) string {
	dice := rand.New(rand.NewPCG(seed, seed))
	for range 1 + dice.IntN(6) {
		text = mutations[dice.IntN(len(mutations))](dice, text, others)
	}
	return text
}

var mutations = []func(dice *rand.Rand, text string, others []string) string{
	lines(func(_ *rand.Rand, l []string, at int) []string { return slices.Delete(l, at, at+1) }),
	lines(func(_ *rand.Rand, l []string, at int) []string { return slices.Insert(l, at, l[at]) }),
	lines(func(dice *rand.Rand, l []string, at int) []string { return slices.Insert(l, at, l[dice.IntN(len(l))]) }),
	lines(func(dice *rand.Rand, l []string, at int) []string {
		other := dice.IntN(len(l))
		l[at], l[other] = l[other], l[at]
		return l
	}),
	lines(func(dice *rand.Rand, l []string, at int) []string {
		l[at] = strings.Repeat(" ", dice.IntN(7)) + strings.TrimLeft(l[at], " ")
		return l
	}),
	lines(func(dice *rand.Rand, l []string, at int) []string {
		key, _, _ := strings.Cut(l[at], ":")
		l[at] = key + ": " + spices[dice.IntN(len(spices))]
		return l
	}),
	func(dice *rand.Rand, text string, _ []string) string {
		at := dice.IntN(len(text) + 1)
		return text[:at] + spices[dice.IntN(len(spices))] + text[at:]
	},
	func(dice *rand.Rand, text string, _ []string) string { return text[:dice.IntN(len(text)+1)] },
	func(dice *rand.Rand, text string, _ []string) string {
		changed := []byte(text + " ")
		changed[dice.IntN(len(changed))] = byte(dice.IntN(256))
		return string(changed)
	},
	func(dice *rand.Rand, text string, others []string) string {
		other := others[dice.IntN(len(others))]
		from := dice.IntN(len(other) + 1)
		to := from + dice.IntN(len(other)-from+1)
		at := dice.IntN(len(text) + 1)
		return text[:at] + other[from:to] + text[at:]
	},
}

// lines makes a mutation of a change to the lines of a text, at one of them.
func lines(change func(dice *rand.Rand, lines []string, at int) []string) func(*rand.Rand, string, []string) string {
	return func(dice *rand.Rand, text string, _ []string) string {
		l := strings.SplitAfter(text, "\n")
		for i := range l {
			l[i] = strings.TrimSuffix(l[i], "\n")
		}
		return strings.Join(change(dice, l, dice.IntN(len(l))), "\n")
	}
}
