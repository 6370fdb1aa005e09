package arch

import (
	"cmp"
	"slices"
)

// Platform is one os/architecture/variant of an image, with the digest of its manifest.
type Platform struct {
	OS           string `json:"os"`
	Architecture Arch   `json:"architecture"`
	Variant      string `json:"variant,omitempty"`
	Digest       string `json:"digest,omitempty"`
}

// String returns "linux/arm64/v8", or "linux/amd64" for a platform without a variant.
func (p Platform) String() string {
	s := p.OS + "/" + string(p.Architecture)
	if p.Variant != "" {
		s += "/" + p.Variant
	}
	return s
}

// Platforms are the platforms of an image, from a registry, a lock or a user.
type Platforms []Platform

// Sorted returns the platforms without duplicates in a fixed order (os, architecture,
// variant, digest).
func (p Platforms) Sorted() Platforms {
	out := slices.Clone(p)
	slices.SortFunc(out, func(a, b Platform) int {
		return cmp.Or(cmp.Compare(a.OS, b.OS), cmp.Compare(a.Architecture, b.Architecture),
			cmp.Compare(a.Variant, b.Variant), cmp.Compare(a.Digest, b.Digest))
	})
	return slices.Compact(out)
}

// Linux returns the architectures of the Linux platforms. A variant counts as its
// architecture: a VM boot image is chosen by the label kubernetes.io/arch, which has no
// variant, and every node that runs it is a Linux node. A platform whose variant no
// import chooses does not count.
func (p Platforms) Linux() Set {
	var list []Arch
	for _, platform := range p {
		if platform.OS == "linux" && VariantRank(platform.Architecture, platform.Variant) >= 0 {
			list = append(list, platform.Architecture)
		}
	}
	return NewSet(list...)
}
