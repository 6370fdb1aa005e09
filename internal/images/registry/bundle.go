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

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

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

// runtimeConfig is how a container of the image runs.
type runtimeConfig struct{ isBundle bool }

// UnmarshalJSON implements json.Unmarshaler. Labels of another form do not change what the
// image proves, so they are no error.
func (c *runtimeConfig) UnmarshalJSON(data []byte) error {
	var fields struct {
		Labels json.RawMessage `json:"Labels"`
	}
	c.isBundle = c.isBundle || json.Unmarshal(data, &fields) == nil && hasBundleLabel(fields.Labels)
	return nil
}

// hasBundleLabel reports whether labels have one of a bundle. It reads them one by one and
// keeps none of them.
func hasBundleLabel(labels []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(labels))
	start, err := dec.Token()
	for err == nil && start == json.Delim('{') && dec.More() {
		var key json.Token
		if key, err = dec.Token(); err != nil {
			return false
		}
		if name, _ := key.(string); slices.Contains(bundleLabels, name) {
			return true
		}
		err = dec.Decode(new(json.RawMessage))
	}
	return false
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
		return false, nil // a mirror or a recording with a part of the index
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
	if status, is := errors.AsType[*statusError](err); is {
		return status.status == http.StatusNotFound
	}
	content, is := errors.AsType[*contentError](err)
	return is && (errors.Is(content.kind, ErrNotImage) || errors.Is(content.kind, ErrNotRecorded))
}
