package fn

import (
	"context"
	"fmt"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// Resolver says what images have.
type Resolver interface {
	// Resolve returns what the image of a reference has. Several goroutines may call it at once. An error is a finding about the templates,
	// machines or pods that use the image, whose architectures are then unknown.
	Resolve(ctx context.Context, ref Reference) (Image, error)
}

// Reference names an image.
type Reference struct {
	// Registry is the host of the registry, with the port if it states one: docker.io for a short name.
	Registry string
	// Repository is the path of the image in the registry: library/fedora.
	Repository string
	// Tag is "" if the reference has a digest, and latest if it states neither. Digest is such as sha256:..., or "".
	Tag, Digest string
}

// String returns the reference as it is written, without "docker://".
func (r Reference) String() string {
	out := r.Registry + "/" + r.Repository
	if r.Digest != "" {
		return out + "@" + r.Digest
	}
	return out + ":" + r.Tag
}

// Image is what an image has.
type Image struct {
	// Digest is that of the manifest or index that the reference names; "" if it is unknown.
	Digest string
	// Platforms are those of the image. Without any the image is an error.
	Platforms []Platform
}

// Platform is a platform of an image, in the words of the OCI image specification. Architectures are Go's: amd64, arm64, s390x.
type Platform struct {
	OS, Architecture, Variant string
}

// resolver is a Resolver of somebody else as the engine knows it.
type resolver struct{ next Resolver }

// Resolve implements [registry.Resolver].
func (r resolver) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	out := registry.Image{Reference: ref.String()}
	named := Reference{Registry: ref.Host(), Repository: ref.Repository()}
	if named.Tag = ref.Selector(); ref.Pinned() {
		named.Tag, named.Digest = "", ref.Digest()
	}
	image, err := r.next.Resolve(ctx, named)
	if err != nil {
		return out, fmt.Errorf("image %q: %w", ref, err)
	}
	out.Digest = image.Digest
	for _, one := range image.Platforms {
		a, err := arch.Parse(one.Architecture)
		if err != nil {
			return out, fmt.Errorf("image %q: %w", ref, err)
		}
		out.Platforms = append(out.Platforms, arch.Platform{OS: one.OS, Architecture: a, Variant: one.Variant})
	}
	if len(out.Platforms) == 0 {
		return out, fmt.Errorf("image %q: the resolver returns no platform", ref)
	}
	out.Platforms = out.Platforms.Sorted()
	return out, nil
}
