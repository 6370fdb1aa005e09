package registry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/transport"
	"github.com/goldenarch/goldenarch/internal/parallel"
)

// Verified returns a Resolver that resolves as the Client does and then checks that
// each platform of the answer exists. A platform whose manifest the registry does not have
// is absent from the image. It is an error if no platform for Linux is left, and if anything
// else is wrong with a platform: one error for each image.
// VerifyChildren fetches the manifest of each platform: a sparse mirror has the index and
// only some of those manifests. VerifyConfig also reads each image's configuration, which
// must name the same architecture as the index. Registries that count pulls count these
// requests too.
func (c *Client) Verified(v v1alpha1.Verify) Resolver {
	if v != v1alpha1.VerifyChildren && v != v1alpha1.VerifyConfig {
		return c
	}
	return &verified{client: c, level: v}
}

type verified struct {
	client *Client
	level  v1alpha1.Verify
}

var _ Resolver = (*verified)(nil)

// Resolve implements Resolver.
func (v *verified) Resolve(ctx context.Context, ref imageref.Reference) (Image, error) {
	image, err := v.client.Resolve(ctx, ref)
	if err != nil {
		return Image{}, err
	}
	r := &resolution{ref: ref, endpoint: v.client.endpoint(ref.Host())}
	faults := make([]error, len(image.Platforms))
	parallel.Queue(len(image.Platforms), siblings, func(i int) {
		if p := image.Platforms[i]; p.Digest != image.Digest { // not a single image, whose configuration named the platform
			faults[i] = v.platform(ctx, r, image.MediaType, p)
		}
	})
	err = joinFaults(image.Platforms, faults)
	absent := Missing(err)
	if err != nil && (absent == nil || len(without(image.Platforms, absent).Linux()) == 0) {
		return Image{}, v.client.explain(ref, err)
	}
	if image.Verified = true; absent != nil {
		image.Platforms, image.Absent, image.AbsentError = without(image.Platforms, absent), absent, v.client.explain(ref, err)
	}
	return image, nil
}

// without returns the platforms that are not among others.
func without(platforms, others arch.Platforms) arch.Platforms {
	return slices.DeleteFunc(slices.Clone(platforms), func(p arch.Platform) bool { return slices.Contains(others, p) })
}

// platform checks the manifest of a platform, and what it points to.
func (v *verified) platform(ctx context.Context, r *resolution, index string, p arch.Platform) error {
	_, d, err := r.manifest(ctx, p.Digest)
	switch {
	case err != nil:
		return withImportError(err, r.ref, index, p)
	case d.Config == nil:
		return badContent(ErrNotTrue, "sent something that is not an image for an entry of its index (media type %q)", d.MediaType)
	case v.level == v1alpha1.VerifyChildren:
		return nil
	}
	says, err := r.config(ctx, *d.Config)
	if err != nil {
		return err
	}
	if says.isLinux() && says.Architecture == string(p.Architecture) {
		return nil
	}
	// The text is that of CDI's importer, which a user would see (cdi
	// pkg/importer/transport.go).
	return badContent(ErrNotTrue,
		"sent an image whose configuration says %s; its import would fail: manifest image architecture: %q doesn't match requested architecture: %q",
		says, says.Architecture, p.Architecture)
}

// withImportError adds the error of CDI's importer for a manifest that the registry
// does not have. The text is that of the library with which it fetches images (cdi
// pkg/importer/transport.go: copyRegistryImage; containers/image
// internal/image/oci_index.go, docker_list.go and docker/docker_client.go).
func withImportError(err error, ref imageref.Reference, index string, p arch.Platform) error {
	status, ok := errors.AsType[*statusError](err)
	if !ok || status.status != http.StatusNotFound {
		return err
	}
	what := "image index"
	if strings.Contains(index, "docker") {
		what = "manifest list"
	}
	return &missingError{
		platform: p,
		err: fmt.Errorf("%w; its import would fail: Error retrieving image: fetching target platform image selected from %s: "+
			"reading manifest %s in %s/%s: manifest unknown",
			err, what, p.Digest, ref.Host(), ref.Repository()),
	}
}

// missingError is a manifest that an index lists and the registry does not have.
type missingError struct {
	platform arch.Platform
	err      error
}

func (e *missingError) Error() string { return e.err.Error() }

func (e *missingError) Unwrap() error { return e.err }

// Missing returns the platforms whose manifests an index lists and the registry does not
// have, if the error is about nothing else.
func Missing(err error) arch.Platforms {
	all, ok := errors.AsType[platformErrors](err)
	if !ok {
		return nil
	}
	var out arch.Platforms
	for _, one := range all {
		missing, ok := errors.AsType[*missingError](one)
		if !ok {
			return nil
		}
		out = append(out, missing.platform)
	}
	return out
}

// platformErrors are the errors of several platforms of an image.
type platformErrors []error

func (e platformErrors) Error() string {
	parts := make([]string, len(e))
	for i, err := range e {
		parts[i] = err.Error()
	}
	return strings.Join(parts, "; ")
}

func (e platformErrors) Unwrap() []error { return e }

// joinFaults returns the faults as one error that names their platforms. It reports a
// host without an answer, and a canceled run, only once.
func joinFaults(platforms arch.Platforms, faults []error) error {
	var all platformErrors
	for i, err := range faults {
		if err == nil {
			continue
		}
		if _, silent := errors.AsType[*transport.HostError](err); silent || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		all = append(all, fmt.Errorf("%s: %w", platforms[i], err))
	}
	if len(all) == 0 {
		return nil
	}
	return all
}
