package registry

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// maxReasons is how many unbelieved entries a finding lists one by one.
const maxReasons = 5

// noteUnbelieved records the entries of an index that a reader would accept for an
// architecture, and CDI's importer does not.
func (w *walk) noteUnbelieved(d document, chosen []choice, proven arch.Set, wanted []arch.Arch) {
	byEntry := map[int]choice{}
	for _, c := range chosen {
		byEntry[c.entry] = c
	}
	bare := 0
	for i, e := range d.entries {
		c, is := byEntry[i]
		if e.isOther() {
			w.addUnusable("no image")
		}
		switch {
		case is && (e.isOther() || e.isAttestation()):
			w.noteNotImage(d, i, c, proven)
		case e.isOther(), e.isAttestation():
		case e.Platform == nil && !d.docker:
			if !is && len(chosen) > 0 {
				bare++
			}
		case !is:
			w.noteUnmatched(i, e, proven, wanted)
		}
	}
	if bare > 0 {
		w.addUnbelieved("%d entries have no platform and are not the first such entry, which is the only one that CDI selects", bare)
	}
}

// noteNotImage records an entry that the importer takes and that does not name an
// image.
func (w *walk) noteNotImage(d document, i int, c choice, proven arch.Set) {
	var hidden []arch.Arch
	for _, a := range c.forArchs {
		if !proven.Contains(a) && (len(d.imagesFor(a)) > 0 || d.entries[i].Platform != nil && !d.entries[i].isAttestation()) {
			hidden = append(hidden, a)
		}
	}
	if len(hidden) > 0 {
		w.addUnbelieved("entry %d is not an image, and CDI reads it as %s", i+1, arch.NewSet(hidden...))
	}
}

// noteUnmatched records an entry whose platform matches no architecture.
func (w *walk) noteUnmatched(i int, e descriptor, proven arch.Set, wanted []arch.Arch) {
	p := platform{}
	if e.Platform != nil {
		p = *e.Platform
	}
	near, err := arch.Parse(p.Architecture)
	linux := p.isLinux()
	if p.OS != "linux" || !arch.Known(arch.Arch(p.Architecture)) {
		w.addUnusable(p.String())
	}
	switch {
	case p.OS == "" || p.Architecture == "":
		w.addUnbelieved("entry %d has the platform %s, which CDI never selects", i+1, p)
	case err != nil || !linux || proven.Contains(near) || !slices.Contains(wanted, near):
	case p.OS != "linux":
		w.addUnbelieved("entry %d has the operating system %q, and CDI accepts only \"linux\"", i+1, first(p.OS, 20))
	case p.Architecture != string(near):
		w.addUnbelieved("entry %d has the architecture %q, and CDI accepts only %q", i+1, first(p.Architecture, 20), near)
	case arch.VariantRank(near, p.Variant) < 0:
		w.addUnusable(p.String())
		w.addUnbelieved("entry %d has the variant %q of %s, which CDI never selects", i+1, first(p.Variant, 20), near)
	}
}

// first returns the beginning of a registry's text, with its spaces: they may be all
// that is wrong with it.
func first(s string, n int) string {
	if runes := []rune(strings.ToValidUTF8(s, "?")); len(runes) > n {
		return string(runes[:n]) + "..."
	}
	return s
}

func (w *walk) addUnbelieved(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unbelieved = append(w.unbelieved, fmt.Sprintf(format, args...))
}

// unbelievedReasons returns why entries are not believed, the first few one by one.
func (w *walk) unbelievedReasons() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := slices.Clone(w.unbelieved)
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	list = slices.Compact(list)
	if n := len(list) - maxReasons; n > 0 {
		list = append(list[:maxReasons], fmt.Sprintf("and %d more", n))
	}
	return list
}
