package registry

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/sync/errgroup"

	"github.com/goldenarch/goldenarch/arch"
)

const (
	// maxDepth is how many indexes may be within each other.
	maxDepth = 4
	// maxFetches is how many manifests within an index are fetched for one
	// image. Most indexes need none.
	maxFetches = 100
	// siblings is how many of them are fetched at once.
	siblings = 8
	// attestation marks a manifest that says something about another one
	// (docker buildx attestation storage).
	attestation = "vnd.docker.reference.type"
)

// walk collects the platforms of an image. It fetches a manifest within an
// index only where the index does not say its platform; then it never guesses.
type walk struct {
	*resolution

	mu      sync.Mutex
	fetched int
	// others is what was found but cannot run on a Linux node.
	others []string
}

// document returns the platforms of a manifest or index with this digest.
func (w *walk) document(ctx context.Context, d document, digest string, depth int) (arch.Platforms, error) {
	if d.Config != nil {
		p, err := w.config(ctx, *d.Config)
		if err != nil {
			return nil, err
		}
		return w.keep(p, digest), nil
	}
	if d.Manifests == nil {
		return nil, nil
	}
	if depth == maxDepth {
		return nil, &contentError{kind: ErrContent, mediaType: d.MediaType, text: fmt.Sprintf("sent more than %d indexes within each other", maxDepth)}
	}
	parts := make([]arch.Platforms, len(*d.Manifests))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(siblings)
	seen := map[string]bool{}
	for i, child := range *d.Manifests {
		if err := child.check(math.MaxInt64); err != nil {
			return nil, err
		}
		if !w.worth(child) {
			continue
		}
		if p := child.normal(); p.complete() && !child.isIndex() {
			parts[i] = w.keep(p, child.Digest)
			continue
		}
		if seen[child.Digest] {
			continue
		}
		seen[child.Digest] = true
		group.Go(func() (err error) {
			parts[i], err = w.child(within, child, depth)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return fold(slices.Concat(parts...)), nil
}

// child fetches a manifest within an index and returns its platforms. What
// turns out to be no image is left out.
func (w *walk) child(ctx context.Context, d descriptor, depth int) (arch.Platforms, error) {
	if err := d.check(manifestLimit); err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.fetched++
	n := w.fetched
	w.mu.Unlock()
	if n > maxFetches {
		return nil, &contentError{kind: ErrContent, mediaType: d.MediaType, text: fmt.Sprintf("sent an index with more than %d manifests whose platform it does not say", maxFetches)}
	}
	_, within, err := w.manifest(ctx, d.Digest)
	if content, ok := errors.AsType[*contentError](err); ok && errors.Is(content.kind, ErrNotImage) {
		w.leaveOut("no image")
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return w.document(ctx, within, d.Digest, depth+1)
}

// worth reports whether a descriptor may be an image or an index. One of an
// artifact is not, whatever platform it says. The type of an artifact that is
// an image is that of its configuration (OCI distribution-spec, referrers).
func (w *walk) worth(d descriptor) bool {
	kind := types.MediaType(d.MediaType)
	switch {
	case d.isAttestation():
		return false
	case d.ArtifactType != "" && !types.MediaType(d.ArtifactType).IsConfig(),
		kind != "" && !kind.IsIndex() && !kind.IsImage():
		w.leaveOut("no image")
		return false
	}
	return true
}

// keep returns the platform if a Linux node can run it, and remembers it for
// the error if not.
func (w *walk) keep(p platform, digest string) arch.Platforms {
	if a := arch.Arch(p.Architecture); p.OS == "linux" && arch.Known(a) {
		return arch.Platforms{{OS: p.OS, Architecture: a, Variant: p.Variant, Digest: digest}}
	}
	w.leaveOut(p.String())
	return nil
}

func (w *walk) leaveOut(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.others = append(w.others, what)
}

// nothing is the error of an image without a platform that can run.
func (w *walk) nothing(d document) error {
	slices.Sort(w.others)
	found := slices.Compact(w.others)
	text := "sent an index without any image in it"
	if len(found) > 0 {
		list := strings.Join(found[:min(10, len(found))], ", ")
		text = "sent an image without a known architecture for linux; found: " + list
	}
	return &contentError{kind: ErrNoPlatform, mediaType: d.MediaType, text: text}
}

// normal returns the platform that a descriptor says, normalised.
func (d descriptor) normal() platform {
	if d.Platform == nil {
		return platform{}
	}
	return d.Platform.normal()
}

func (d descriptor) isIndex() bool { return types.MediaType(d.MediaType).IsIndex() }

// isAttestation knows an attestation by its annotation, or, where a tool lost
// that, by its platform.
func (d descriptor) isAttestation() bool {
	p := d.normal()
	return d.Annotations[attestation] != "" || p.OS == "unknown" && p.Architecture == "unknown"
}

// complete reports whether both operating system and architecture are said.
func (p platform) complete() bool { return p.OS != "" && p.Architecture != "" }

// fold keeps the first of the manifests for one platform, as runtimes do.
func fold(list arch.Platforms) arch.Platforms {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(p arch.Platform) bool {
		again := seen[p.String()]
		seen[p.String()] = true
		return again
	})
}
