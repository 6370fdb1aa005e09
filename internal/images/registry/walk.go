package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

const (
	// maxDepth is how many levels of nested indexes are allowed.
	maxDepth = 4
	// siblings is how many manifests of an index the client fetches at once.
	siblings = 8
)

// variantName matches the variants that goldenarch reports.
var variantName = pattern.Of(`^v[0-9]{1,2}(\.[0-9]{1,2})?$`)

// systemName matches the systems that goldenarch reports.
var systemName = pattern.Of(`^[a-z][a-z0-9]{1,15}$`)

// walk collects the platforms of an image: those that CDI's importer finds in it. It
// fetches a manifest of an index only if the index does not name its platform; then it
// never guesses.
type walk struct {
	*resolution

	mu sync.Mutex
	// unusable lists what exists but cannot run on a Linux node.
	unusable []string
	// rejected lists the entries that are not used, and why.
	rejected []string
	// others has the architectures for other systems than Linux, by system.
	others map[string]arch.Set
	// bundle reports that the walk read the configuration of an operator bundle image, bootc that it read that of one for bootc.
	bundle, bootc bool
}

// document returns the platforms of a manifest or index with this digest, for the
// wanted architectures.
func (w *walk) document(ctx context.Context, d document, digest string, depth int, wanted []arch.Arch) (arch.Platforms, error) {
	if d.Config != nil {
		c, err := w.config(ctx, *d.Config)
		if err != nil {
			return nil, err
		}
		w.noteLabels(c)
		return w.configured(c.platform, digest, wanted), nil
	}
	if !d.isIndex() {
		return nil, nil
	}
	if depth == maxDepth {
		return nil, badContent(ErrContent, "sent indexes nested more than %d levels deep", maxDepth)
	}
	for _, e := range d.entries {
		if e.Platform != nil && e.isImage() {
			w.noteOther(*e.Platform)
		}
	}
	chosen := d.choose(wanted)
	parts := make([]arch.Platforms, len(chosen))
	faults := make([]error, len(chosen))
	// A failure does not stop the other entries. Of several failures, every run reports
	// the first in the index. There are no more entries than architectures.
	parallel.Queue(len(chosen), siblings, func(i int) {
		c, e := chosen[i], d.entries[chosen[i].entry]
		if e.isAttestation() || e.isOther() {
			return
		}
		if faults[i] = e.check(math.MaxInt64); faults[i] != nil {
			return
		}
		if e.Platform != nil && e.isImage() {
			a := c.forArchs[0]
			parts[i] = append(arch.Platforms{e.proves(a)}, d.imagesFor(a)...)
			return
		}
		parts[i], faults[i] = w.child(ctx, e, depth, c.forArchs)
	})
	if err := cmp.Or(faults...); err != nil {
		return nil, err
	}
	proven := slices.Concat(parts...)
	found := proven.Linux()
	w.noteRejected(d, chosen, found, wanted)
	for _, a := range wanted {
		if !found.Contains(a) && !slices.ContainsFunc(chosen, func(c choice) bool { return slices.Contains(c.forArchs, a) }) {
			proven = append(proven, d.imagesFor(a)...)
		}
	}
	return firstOfEach(proven), nil
}

// child fetches a manifest of an index and returns its platforms. It omits a manifest
// that turns out not to describe an image.
func (w *walk) child(ctx context.Context, e descriptor, depth int, wanted []arch.Arch) (arch.Platforms, error) {
	if err := e.check(manifestLimit); err != nil {
		return nil, err
	}
	_, within, err := w.manifest(ctx, e.Digest)
	if content, ok := errors.AsType[*contentError](err); ok && errors.Is(content.kind, ErrNotImage) {
		w.addUnusable("no image")
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return w.document(ctx, within, e.Digest, depth+1, wanted)
}

// configured returns the platform of an image that is not in an index, or that an index
// does not describe. CDI's importer compares its architecture exactly, and ignores its
// operating system and variant (cdi pkg/importer/transport.go:
// validateImagePlatformMatch).
func (w *walk) configured(p platform, digest string, wanted []arch.Arch) arch.Platforms {
	a := arch.Arch(p.Architecture)
	w.noteOther(p)
	if !p.isLinux() || !arch.Known(a) {
		w.addUnusable(p.String())
		if meant, err := arch.Parse(p.Architecture); err == nil && meant != a {
			w.addRejected("the configuration has the architecture %q, and CDI accepts only %q", cut(p.Architecture, 20), meant)
		}
		return nil
	}
	if !slices.Contains(wanted, a) {
		return nil
	}
	if arch.VariantRank(a, p.Variant) < 0 {
		p.Variant = ""
	}
	return arch.Platforms{{OS: "linux", Architecture: a, Variant: p.Variant, Digest: digest}}
}

// noteOther records a platform of another system than Linux.
func (w *walk) noteOther(p platform) {
	a := arch.Arch(p.Architecture)
	if p.isLinux() || !systemName().MatchString(p.OS) || !arch.Known(a) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.others[p.OS] = w.others[p.OS].Union(arch.NewSet(a))
}

func (w *walk) noteLabels(c configuration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bundle, w.bootc = w.bundle || c.Config.isBundle, w.bootc || c.Config.isBootc
}

func (w *walk) addUnusable(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unusable = append(w.unusable, what)
}

// noPlatform is the error of an image without a platform that can run.
func (w *walk) noPlatform() error {
	slices.Sort(w.unusable)
	found := slices.Compact(w.unusable)
	text := "sent an index without any image in it"
	if len(found) > 0 {
		text = "sent an image without a known architecture for linux; found: " + cut(strings.Join(found, ", "), shownWords)
	}
	if why := w.rejectedReasons(); len(why) > 0 {
		text += " (" + strings.Join(why, "; ") + ")"
	}
	return &contentError{kind: ErrNoPlatform, text: text}
}

// firstOfEach keeps the first of the manifests for one platform, as runtimes do.
func firstOfEach(list arch.Platforms) arch.Platforms {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(p arch.Platform) bool {
		again := seen[p.String()]
		seen[p.String()] = true
		return again
	})
}

// maxReasons is how many rejected entries a finding lists one by one.
const maxReasons = 5

// noteRejected records the entries of an index that a reader would accept for an
// architecture, and CDI's importer does not.
func (w *walk) noteRejected(d document, chosen []choice, proven arch.Set, wanted []arch.Arch) {
	byEntry := map[int]choice{}
	for _, c := range chosen {
		byEntry[c.entry] = c
	}
	bare := 0
	for i, e := range d.entries {
		c, ok := byEntry[i]
		if e.isOther() {
			w.addUnusable("no image")
		}
		switch {
		case ok && (e.isOther() || e.isAttestation()):
			w.noteNotImage(d, i, c, proven)
		case e.isOther(), e.isAttestation():
		case e.Platform == nil && !d.docker:
			if !ok && len(chosen) > 0 {
				bare++
			}
		case !ok:
			w.noteUnmatched(i, e, proven, wanted)
		}
	}
	if bare > 0 {
		w.addRejected("%d entries have no platform and are not the first such entry, which is the only one that CDI selects", bare)
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
		w.addRejected("entry %d is not an image, and CDI reads it as %s", i+1, arch.NewSet(hidden...))
	}
}

// noteUnmatched records an entry whose platform matches no architecture.
func (w *walk) noteUnmatched(i int, e descriptor, proven arch.Set, wanted []arch.Arch) {
	p := platform{}
	if e.Platform != nil {
		p = *e.Platform
	}
	meant, err := arch.Parse(p.Architecture)
	linux := p.isLinux()
	if p.OS != "linux" || !arch.Known(arch.Arch(p.Architecture)) {
		w.addUnusable(p.String())
	}
	switch {
	case p.OS == "" || p.Architecture == "":
		w.addRejected("entry %d has the platform %s, which CDI never selects", i+1, p)
	case err != nil || !linux || proven.Contains(meant) || !slices.Contains(wanted, meant):
	case p.OS != "linux":
		w.addRejected("entry %d has the operating system %q, and CDI accepts only \"linux\"", i+1, first(p.OS))
	case p.Architecture != string(meant):
		w.addRejected("entry %d has the architecture %q, and CDI accepts only %q", i+1, first(p.Architecture), meant)
	case arch.VariantRank(meant, p.Variant) < 0:
		w.addUnusable(p.String())
		w.addRejected("entry %d has the variant %q of %s, which CDI never selects", i+1, first(p.Variant), meant)
	}
}

// first returns the beginning of a registry's text, with its spaces: they may be all
// that is wrong with it.
func first(s string) string {
	const n = 20
	if runes := []rune(strings.ToValidUTF8(s, "?")); len(runes) > n {
		return string(runes[:n]) + "..."
	}
	return s
}

func (w *walk) addRejected(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rejected = append(w.rejected, fmt.Sprintf(format, args...))
}

// rejectedReasons returns why entries are not believed, the first few one by one.
func (w *walk) rejectedReasons() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := slices.Clone(w.rejected)
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	list = slices.Compact(list)
	if n := len(list) - maxReasons; n > 0 {
		list = append(list[:maxReasons], fmt.Sprintf("and %d more", n))
	}
	return list
}
