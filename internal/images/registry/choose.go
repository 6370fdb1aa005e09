package registry

import (
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// choice is the entry of an index that CDI's importer takes for architectures.
type choice struct {
	entry    int
	forArchs []arch.Arch
}

// choose returns the entries of an index that CDI's importer takes for the wanted
// architectures, in the order of the index. It compares exactly what the registry sent
// (containers/image internal/manifest: ChooseInstance). If no entry of an OCI index
// names an architecture, it takes the first entry without a platform.
func (d document) choose(wanted []arch.Arch) []choice {
	best := map[arch.Arch]int{}
	bare := -1
	for i, e := range d.entries {
		if e.Platform == nil {
			if !d.docker && (bare < 0 || e.Annotations.zstd && !d.entries[bare].Annotations.zstd) {
				bare = i
			}
			continue
		}
		a := arch.Arch(e.Platform.Architecture)
		if e.Platform.OS != "linux" || arch.VariantRank(a, e.Platform.Variant) < 0 {
			continue
		}
		if before, ok := best[a]; !ok || d.prefers(e, d.entries[before]) {
			best[a] = i
		}
	}
	forEntry := map[int][]arch.Arch{}
	for _, a := range wanted {
		i, ok := best[a]
		if !ok {
			i = bare
		}
		if i >= 0 {
			forEntry[i] = append(forEntry[i], a)
		}
	}
	var out []choice
	for i := range d.entries {
		if list := forEntry[i]; list != nil {
			out = append(out, choice{i, list})
		}
	}
	return out
}

// prefers reports whether the importer prefers an entry to an earlier one for the same
// architecture.
func (d document) prefers(e, before descriptor) bool {
	rank := func(e descriptor) int {
		return arch.VariantRank(arch.Arch(e.Platform.Architecture), e.Platform.Variant)
	}
	if rank(e) != rank(before) {
		return rank(e) < rank(before)
	}
	return !d.docker && e.Annotations.zstd && !before.Annotations.zstd
}

// imagesFor returns all images that an index names for an architecture, such as those
// of other variants.
func (d document) imagesFor(a arch.Arch) arch.Platforms {
	var out arch.Platforms
	for _, e := range d.entries {
		if e.Platform != nil && e.isImage() && e.Platform.OS == "linux" && e.Platform.Architecture == string(a) &&
			(e.Platform.Variant == "" || variantName().MatchString(e.Platform.Variant)) && imageref.IsDigest(e.Digest) {
			out = append(out, e.proves(a))
		}
	}
	return out
}
