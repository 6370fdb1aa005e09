package arch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/spelling"
)

// Arch is the name of a CPU architecture as Go, Kubernetes and OCI write it: "amd64",
// "arm64", "s390x". A value from a Node stays unchanged and may be unknown here.
type Arch string

// Label is the label of a node with its architecture, as the kubelet sets it.
const Label = "kubernetes.io/arch"

// The architectures that KubeVirt is built for, and others that users name.
const (
	AMD64   Arch = "amd64"
	ARM64   Arch = "arm64"
	S390X   Arch = "s390x"
	PPC64LE Arch = "ppc64le"
	RISCV64 Arch = "riscv64"
)

// known lists every GOARCH that Go builds for GOOS=linux (go tool dist list).
var known = []Arch{
	"386", AMD64, "arm", ARM64, "loong64", "mips", "mips64", "mips64le", "mipsle",
	"ppc64", PPC64LE, RISCV64, S390X,
}

// aliases maps the kernel's spellings to Go's.
var aliases = map[string]Arch{
	"x86_64":  AMD64,
	"aarch64": ARM64,
	"i386":    "386",
}

// Known reports whether a is an architecture that Go builds for Linux. The match is
// exact: "AMD64" and "x86_64" are not known. See [Parse] for input from users.
func Known(a Arch) bool { return slices.Contains(known, a) }

// Parse reads an architecture that a user wrote. It normalizes surrounding blanks,
// upper case and the aliases x86_64, aarch64 and i386. The error for an unknown name
// lists the known ones.
func Parse(s string) (Arch, error) {
	if a, ok := Find(s); ok {
		return a, nil
	}
	all := Set(known).Strings()
	err := fmt.Errorf("unknown architecture %q: expected one of %s", s, strings.Join(all, ", "))
	if meant := spelling.Word(normal(s), all); meant != "" {
		err = fmt.Errorf("%w; did you mean %q?", err, meant)
	}
	return "", err
}

// Find reads a word that may be an architecture, as [Parse] does.
func Find(s string) (Arch, bool) {
	name := normal(s)
	if a, ok := aliases[name]; ok {
		return a, true
	}
	return Arch(name), Known(Arch(name))
}

func normal(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// ParseAll reads a list of architectures that a user wrote, see [Parse].
func ParseAll(list []string) (Set, error) {
	all := make([]Arch, 0, len(list))
	for _, s := range list {
		a, err := Parse(s)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return NewSet(all...), nil
}

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
