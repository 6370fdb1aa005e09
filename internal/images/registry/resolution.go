package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

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
	got, err := r.source.fetch(ctx, part{ref: r.ref, name: asked})
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

// config reads an image's configuration, which a descriptor may contain.
func (r *resolution) config(ctx context.Context, d descriptor) (configuration, error) {
	if err := d.check(configLimit); err != nil {
		return configuration{}, err
	}
	content := d.Data
	if len(content) == 0 {
		got, err := r.source.fetch(ctx, part{ref: r.ref, name: d.Digest, config: true})
		if err != nil {
			return configuration{}, withPart(err, "configuration", d.Digest)
		}
		defer got.decoded()
		content = got.body
	}
	if err := foreign(content); err != nil {
		return configuration{}, &contentError{kind: ErrContent, text: "sent no configuration: " + err.Error()}
	}
	if int64(len(content)) != d.Size {
		return configuration{}, &contentError{
			kind: ErrContent,
			text: fmt.Sprintf("sent a configuration of %d bytes where the manifest says %d", len(content), d.Size),
		}
	}
	if err := verify(content, d.Digest); err != nil {
		return configuration{}, err
	}
	var c configuration
	if !bytes.HasPrefix(bytes.TrimSpace(content), []byte("{")) || json.Unmarshal(content, &c) != nil {
		return configuration{},
			&contentError{
				kind:      ErrContent,
				mediaType: d.MediaType,
				text:      fmt.Sprintf("sent a configuration that is not the JSON expected (media type %q)", cut(d.MediaType, shownWords)),
			}
	}
	return c, nil
}

// check refuses a descriptor that goldenarch cannot follow.
func (d descriptor) check(limit int64) error {
	if !imageref.IsDigest(d.Digest) {
		return &contentError{kind: ErrContent, mediaType: d.MediaType, text: fmt.Sprintf("sent a manifest with %q, which is not a digest", cut(d.Digest, 80))}
	}
	if d.Size < 0 || d.Size > limit {
		return &contentError{
			kind:      ErrContent,
			mediaType: d.MediaType,
			text:      fmt.Sprintf("sent a manifest that refers to %d bytes, more than the limit of %d", d.Size, limit),
		}
	}
	return nil
}

// isLinux reports whether the operating system is Linux, in any spelling.
func (p platform) isLinux() bool { return strings.EqualFold(strings.TrimSpace(p.OS), "linux") }

// String names the platform, or says that it is unknown.
func (p platform) String() string {
	name := func(s string) string {
		if s == "" {
			return "unknown"
		}
		return cut(s, 20)
	}
	return name(p.OS) + "/" + name(p.Architecture)
}
