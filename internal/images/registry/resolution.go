package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/opencontainers/go-digest"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// The limits for the size of a manifest and of a configuration; containers/image and
// oras have the same limits.
const (
	manifestLimit = 4 << 20
	configLimit   = 4 << 20
)

// resolution resolves one reference to its platforms.
type resolution struct {
	ref    imageref.Reference
	source source
}

// image fetches the manifest of the reference and follows it.
func (r *resolution) image(ctx context.Context) (Image, error) {
	digest, d, err := r.manifest(ctx, r.ref.Selector())
	if err != nil {
		return Image{}, err
	}
	w := &walk{resolution: r}
	platforms, err := w.document(ctx, d, digest, 0, arch.All())
	if err != nil {
		return Image{}, err
	}
	if len(platforms.Linux()) == 0 {
		return Image{}, w.noPlatform(d)
	}
	isBundle := w.bundle
	if !isBundle && d.isIndex() {
		if isBundle, err = r.isBundleIndex(ctx, platforms); err != nil {
			return Image{}, err
		}
	}
	return Image{
		Reference: r.ref.String(), Digest: digest, MediaType: d.MediaType, Size: d.size,
		Platforms: platforms.Sorted(), Unbelieved: w.unbelievedReasons(), Bundle: isBundle,
	}, nil
}

// manifest fetches a manifest by tag or digest. It returns the digest of the content,
// whatever the header says.
func (r *resolution) manifest(ctx context.Context, asked string) (string, document, error) {
	got, err := r.fetch(ctx, part{ref: r.ref, name: asked})
	if err != nil {
		if asked != r.ref.Selector() {
			err = withPart(err, "manifest", asked)
		}
		return "", document{}, err
	}
	defer got.decoded()
	digest := digestOf(got.body)
	if strings.Contains(asked, ":") {
		// For a web page in place of the manifest, this error is clearer.
		if foreign(got.body) != nil {
			_, err := parseDocument(ctx, got.body, got.mediaType)
			return "", document{}, err
		}
		if err := verify(got.body, asked); err != nil {
			return "", document{}, err
		}
		digest = asked
	}
	d, err := parseDocument(ctx, got.body, got.mediaType)
	return digest, d, err
}

// fetch fetches a part of the image, which a recording keeps.
func (r *resolution) fetch(ctx context.Context, p part) (fetched, error) {
	got, err := r.source.fetch(ctx, p)
	queryOf(ctx).recorder.record(ctx, p, got, err)
	return got, err
}

// config reads an image's configuration, which a descriptor may contain.
func (r *resolution) config(ctx context.Context, d descriptor) (configuration, error) {
	if err := d.check(configLimit); err != nil {
		return configuration{}, err
	}
	content := d.Data
	if len(content) == 0 {
		got, err := r.fetch(ctx, part{ref: r.ref, name: d.Digest, config: true})
		if err != nil {
			return configuration{}, withPart(err, "configuration", d.Digest)
		}
		defer got.decoded()
		content = got.body
	}
	if err := foreign(content); err != nil {
		return configuration{}, badContent(ErrContent, "", "sent no configuration: %v", err)
	}
	if int64(len(content)) != d.Size {
		return configuration{}, badContent(ErrContent, "", "sent a configuration of %d bytes where the manifest says %d", len(content), d.Size)
	}
	if err := verify(content, d.Digest); err != nil {
		return configuration{}, err
	}
	var c configuration
	if !bytes.HasPrefix(bytes.TrimSpace(content), []byte("{")) || json.Unmarshal(content, &c) != nil {
		return configuration{}, badContent(ErrContent, d.MediaType,
			"sent a configuration that is not the JSON expected (media type %q)", cut(d.MediaType, shownWords))
	}
	return c, nil
}

// digestOf returns the sha256 digest of content.
func digestOf(content []byte) string { return digest.FromBytes(content).String() }

// verify compares content with the digest that the request named. The digest is well
// formed.
func verify(content []byte, want string) error {
	if got := digest.Digest(want).Algorithm().FromBytes(content); got.String() != want {
		return badContent(ErrDiffers, "", "sent content with the digest %s instead of %s", got, want)
	}
	return nil
}
