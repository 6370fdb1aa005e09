package registry

import (
	"context"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// Resolver finds out which platforms an image has.
//
// The error of Resolve names the reference, the registry, the server's answer, and what
// the user can try. It never holds a credential.
type Resolver interface {
	Resolve(ctx context.Context, ref imageref.Reference) (Image, error)
}

// Image is what goldenarch knows about the image that a reference names.
type Image struct {
	// Reference is the requested reference, normalized.
	Reference string
	// Digest is the digest of the manifest or index that the reference names.
	Digest string
	// MediaType is the type of the manifest or index, from its body.
	MediaType string
	// Size is the number of bytes of the manifest or index; 0 if it is unknown.
	Size int
	// Mirror is the place that answered, as a reference names it, if it is not the
	// registry of the reference.
	Mirror string
	// Passed are the mirrors that the resolver queried before, without success.
	Passed []MirrorError
	// Platforms are the platforms that the image proves: sorted, each once, without
	// attestations and without unknown architectures. Never empty. What CDI's importer
	// finds for an architecture is [arch.Platforms.Linux].
	Platforms arch.Platforms
	// Bundle says that the image is an operator bundle image: a package of manifests that
	// runs on no node. Its platforms are those of the machines that built it.
	Bundle bool
	// Unbelieved lists the entries of an index that name an architecture and that CDI's
	// importer does not accept for it, and why.
	Unbelieved []string
}
