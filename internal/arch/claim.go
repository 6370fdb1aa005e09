package arch

import "strings"

// Claim is the raw value of the annotation ssp.kubevirt.io/dict.architectures
// on a template: what somebody says that the template's image holds.
type Claim string

// HCO returns the architectures of the claim that HCO leaves in place for the
// given workload architectures, in the claim's order and with its repeats.
//
// HCO splits at commas and compares each part as it is: no trimming, no lower
// case, no aliases (hco golden_images.go: removeUnsupportedArchs). So HCO
// loses arm64 from "amd64, arm64".
func (c Claim) HCO(workload Set) []Arch {
	var kept []Arch
	for part := range strings.SplitSeq(string(c), ",") {
		if a := Arch(part); a != "" && workload.Contains(a) {
			kept = append(kept, a)
		}
	}
	return kept
}

// Meant returns what the person who wrote the claim meant, and the parts that
// mean nothing. Blanks, semicolons and commas separate; upper case and aliases
// are normalised; the platform forms "linux/arm64" and "arm64/v8" are read as
// their architecture.
func (c Claim) Meant() (Set, []string) {
	var list []Arch
	var unknown []string
	for _, part := range strings.FieldsFunc(string(c), isSeparator) {
		if a, err := Parse(architectureOf(part)); err == nil {
			list = append(list, a)
		} else {
			unknown = append(unknown, part)
		}
	}
	return NewSet(list...), unknown
}

// Clean reports whether HCO and SSP both read the claim as what was meant:
// known names, exact, comma-separated, no blanks, each once.
func (c Claim) Clean() bool {
	seen := map[Arch]bool{}
	for part := range strings.SplitSeq(string(c), ",") {
		a := Arch(part)
		if !Known(a) || seen[a] {
			return false
		}
		seen[a] = true
	}
	return true
}

func isSeparator(r rune) bool { return strings.ContainsRune(", ;\t\n\r", r) }

// architectureOf takes the architecture out of a platform: "linux/arm64/v8",
// "arm64/v8", "arm64".
func architectureOf(part string) string {
	part = strings.TrimPrefix(strings.ToLower(part), "linux/")
	part, _, _ = strings.Cut(part, "/")
	return part
}
