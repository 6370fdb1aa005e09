package arch

import "strings"

// Claim has the raw value of the annotation ssp.kubevirt.io/dict.architectures on a
// template: the declared architectures.
type Claim string

// HCO returns the declared architectures that HCO keeps for the given workload
// architectures, in the declared order and with duplicates.
//
// HCO splits at commas and compares each part exactly: no trimming, no lower case, no
// aliases (hco golden_images.go: removeUnsupportedArchs). So HCO loses arm64 from
// "amd64, arm64".
func (c Claim) HCO(workload Set) []Arch {
	var kept []Arch
	for part := range strings.SplitSeq(string(c), ",") {
		if a := Arch(part); a != "" && workload.Contains(a) {
			kept = append(kept, a)
		}
	}
	return kept
}

// Meant returns the architectures that the author meant, and the parts that are not
// architectures. Blanks, semicolons and commas separate the parts. Upper case and
// aliases are normalized. Platforms such as "linux/arm64" and "arm64/v8" count as their
// architecture.
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

// Clean reports whether HCO and SSP both read the architectures that the author meant:
// exact known names, comma-separated, no blanks, no duplicates.
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

// architectureOf returns the architecture of a platform: "linux/arm64/v8", "arm64/v8",
// "arm64".
func architectureOf(part string) string {
	part = strings.TrimPrefix(strings.ToLower(part), "linux/")
	part, _, _ = strings.Cut(part, "/")
	return part
}
