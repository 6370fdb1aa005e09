package registry

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
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
	ref      imageref.Reference
	endpoint *endpoint // of its registry
}

// image fetches the manifest of the reference and follows it.
func (r *resolution) image(ctx context.Context) (Image, error) {
	digest, d, err := r.manifest(ctx, r.ref.Selector())
	if err != nil {
		return Image{}, err
	}
	w := &walk{resolution: r, others: map[string]arch.Set{}}
	platforms, err := w.document(ctx, d, digest, 0, arch.All())
	if err != nil {
		return Image{}, err
	}
	if len(platforms.Linux()) == 0 {
		return Image{}, w.noPlatform()
	}
	isBundle := w.bundle
	if !isBundle && d.isIndex() {
		if isBundle, err = r.isBundleIndex(ctx, platforms); err != nil {
			return Image{}, err
		}
	}
	login, plain := r.endpoint.access(r.ref.Repository())
	return Image{
		Login: login, Plain: plain,
		Reference: r.ref.String(), Digest: digest, MediaType: d.MediaType, Size: d.size,
		Platforms: platforms.Sorted(), RejectedEntries: w.rejectedReasons(), Bundle: isBundle, Bootc: w.bootc, Others: w.others,
	}, nil
}

// manifest fetches a manifest by tag or digest. It returns the digest of the content,
// whatever the header says.
func (r *resolution) manifest(ctx context.Context, asked string) (string, document, error) {
	got, err := r.endpoint.fetch(ctx, part{ref: r.ref, name: asked})
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
		if errorPage(got.body) != nil {
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
		got, err := r.endpoint.fetch(ctx, part{ref: r.ref, name: d.Digest, config: true})
		if err != nil {
			return configuration{}, withPart(err, "configuration", d.Digest)
		}
		defer got.decoded()
		content = got.body
	}
	if err := errorPage(content); err != nil {
		return configuration{}, badContent(ErrContent, "sent no configuration: %v", err)
	}
	if int64(len(content)) != d.Size {
		return configuration{}, badContent(ErrContent, "sent a configuration of %d bytes where the manifest says %d", len(content), d.Size)
	}
	if err := verify(content, d.Digest); err != nil {
		return configuration{}, err
	}
	var c configuration
	if !bytes.HasPrefix(bytes.TrimSpace(content), []byte("{")) || json.Unmarshal(content, &c) != nil {
		return configuration{}, badContent(ErrContent, "sent a configuration that is not the JSON expected (media type %q)", cut(d.MediaType, shownWords))
	}
	return c, nil
}

// digestOf returns the sha256 digest of content.
func digestOf(content []byte) string { return digest.FromBytes(content).String() }

// verify compares content with the digest that the request named. The digest is well
// formed.
func verify(content []byte, want string) error {
	if got := digest.Digest(want).Algorithm().FromBytes(content); got.String() != want {
		return badContent(ErrDiffers, "sent content with the digest %s instead of %s", got, want)
	}
	return nil
}

// bundleLabels are the labels of an operator bundle image. One of them is enough, as for
// the multiarch-tuning-operator (pkg/image/inspector.go: isBundleImage). operator-sdk
// writes them (operator-registry docs/design/operator-bundle.md).
var bundleLabels = []string{
	"operators.operatorframework.io.bundle.mediatype.v1",
	"operators.operatorframework.io.bundle.manifests.v1",
	"operators.operatorframework.io.bundle.metadata.v1",
	"operators.operatorframework.io.bundle.package.v1",
	"operators.operatorframework.io.bundle.channels.v1",
	"operators.operatorframework.io.bundle.channel.default.v1",
	"operators.operatorframework.io.metrics.builder",
}

// configuration is what goldenarch needs of an image's configuration.
type configuration struct {
	platform
	Config runtimeConfig `json:"config"`
}

// bootcLabels are the labels of an image for bootc, a system in layers, if their value is 1 (cdi pkg/importer: 2fb3fd570).
var bootcLabels = []string{"containers.bootc", "ostree.bootable"}

// runtimeConfig is how a container of the image runs.
type runtimeConfig struct{ isBundle, isBootc bool }

// UnmarshalJSON implements json.Unmarshaler. Labels of another form do not change what the
// image proves, so they are no error.
func (c *runtimeConfig) UnmarshalJSON(data []byte) error {
	var fields struct {
		Labels json.RawMessage `json:"Labels"`
	}
	if json.Unmarshal(data, &fields) == nil {
		c.readLabels(fields.Labels)
	}
	return nil
}

// readLabels notes the labels that say what an image is. It reads them one by one and keeps none of them.
func (c *runtimeConfig) readLabels(labels []byte) {
	dec := json.NewDecoder(bytes.NewReader(labels))
	start, err := dec.Token()
	for err == nil && start == json.Delim('{') && dec.More() {
		var key json.Token
		if key, err = dec.Token(); err != nil {
			return
		}
		name, _ := key.(string)
		var value json.RawMessage
		err = dec.Decode(&value)
		c.isBundle = c.isBundle || slices.Contains(bundleLabels, name)
		c.isBootc = c.isBootc || slices.Contains(bootcLabels, name) && string(value) == `"1"`
	}
}

// isBundleIndex reports whether an index is that of an operator bundle image. Like the
// multiarch-tuning-operator (pkg/image/inspector.go: GetCompatibleArchitecturesSet), it
// reads the configuration of the first image that the index lists. These are two more
// requests, so it makes them only for an index that may be one.
func (r *resolution) isBundleIndex(ctx context.Context, platforms arch.Platforms) (bool, error) {
	if !mayBeBundle(cmp.Or(queryOf(ctx).requested, r.ref), platforms) {
		return false, nil
	}
	_, d, err := r.manifest(ctx, platforms[0].Digest)
	if err == nil && d.Config == nil {
		return false, nil
	}
	var c configuration
	if err == nil {
		c, err = r.config(ctx, *d.Config)
	}
	if isAbsent(err) {
		return false, nil // a mirror with a part of the index
	}
	return c.Config.isBundle, err
}

// mayBeBundle reports whether goldenarch looks for the labels of a bundle behind an index:
// the name of its repository says so (operator-sdk's Makefile: BUNDLE_IMG), or it lists one
// manifest for several platforms.
func mayBeBundle(ref imageref.Reference, platforms arch.Platforms) bool {
	if strings.Contains(ref.Repository(), "bundle") {
		return true
	}
	return len(platforms) > 1 && !slices.ContainsFunc(platforms, func(p arch.Platform) bool { return p.Digest != platforms[0].Digest })
}

// isAbsent reports whether an error says that a part of an image does not exist, or is not
// an image.
func isAbsent(err error) bool {
	if status, ok := errors.AsType[*statusError](err); ok {
		return status.status == http.StatusNotFound
	}
	content, ok := errors.AsType[*contentError](err)
	return ok && errors.Is(content.kind, ErrNotImage)
}
