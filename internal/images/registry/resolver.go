package registry

import (
	"context"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// Resolver finds out which platforms an image has.
//
// The error of Resolve names the reference and the registry, says what the
// server said and what to try, and never holds a credential.
type Resolver interface {
	Resolve(ctx context.Context, ref imageref.Reference) (Image, error)
}

// Image is what is known of the image that a reference names.
type Image struct {
	// Reference is the reference as it was asked for, normalised.
	Reference string
	// Digest is the digest of the manifest or index that the reference names.
	Digest string
	// MediaType is what the manifest or index is, judged by its body.
	MediaType string
	// Size is how many bytes the manifest or index has; 0 if nobody said.
	Size int
	// Mirror is the place that answered, as a reference names it, if it was not
	// the registry of the reference.
	Mirror string
	// Passed is the mirrors that were asked before, and did not answer.
	Passed []MirrorError
	// Platforms is what the image proves: sorted, each once, without
	// attestations and without unknown architectures. Never empty. What CDI's
	// importer finds for an architecture is [arch.Platforms.Linux].
	Platforms arch.Platforms
	// Unbelieved says which entries of an index look like an architecture and are
	// none to CDI's importer, and why.
	Unbelieved []string
}
