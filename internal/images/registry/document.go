package registry

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/types"
)

// document is what a manifest can be: an index, an image's manifest, or something else.
// The body decides which, not the header: servers send no Content-Type, or a wrong one.
type document struct {
	MediaType     string
	ArtifactType  string
	SchemaVersion int
	Config        *descriptor

	// listed reports that the document has a list of manifests. entries holds it.
	listed  bool
	entries []descriptor
	// docker reports that an importer reads the list as Docker's, in which each entry
	// has a platform.
	docker bool
	// layers, fsLayers and blobs report that the document has that field.
	layers, fsLayers, blobs bool
	// foreignLayer is the type of the first layer that an importer refuses in Docker's
	// form of a manifest.
	foreignLayer *string

	// size is the number of bytes of the document.
	size int
}

// accept lists the accepted types of a manifest. It omits schema 1: a registry that has
// a newer form must not send the old one.
const accept = string(types.OCIImageIndex) + ", " + string(types.DockerManifestList) + ", " +
	string(types.OCIManifestSchema1) + ", " + string(types.DockerManifestSchema2)

// parseDocument reads a manifest, and refuses a document that does not belong to an
// image. It stops when its context ends.
func parseDocument(ctx context.Context, body []byte, contentType string) (document, error) {
	header := mediaTypeOf(contentType)
	sent := types.MediaType(header)
	fail := func(kind error, format string, args ...any) (document, error) {
		return document{}, badContent(kind, header, format, args...)
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return fail(ErrContent, "sent an empty manifest (media type %q)", header)
	}
	if err := foreign(body); err != nil {
		return fail(ErrContent, "sent no manifest: %v (media type %q)", err, header)
	}
	d, err := decodeDocument(ctx, body)
	switch {
	case ctx.Err() != nil:
		return document{}, context.Cause(ctx)
	case errors.Is(err, errTooMany), errors.Is(err, errTooLong):
		return fail(ErrContent, "sent a manifest that goldenarch does not read: %v (media type %q)", err, header)
	case err != nil:
		return fail(ErrContent, "sent a manifest that is not the JSON expected (media type %q): %s", header, notExpected(err))
	}
	if d.MediaType != "" {
		header = cut(d.MediaType, shownWords)
	}
	switch {
	case d.listed && (d.Config != nil || d.layers):
		return fail(ErrContent, "sent a manifest that is both an index and an image (media type %q), so clients disagree about it", header)
	case d.listed, types.MediaType(d.MediaType).IsIndex():
		d.MediaType = d.indexType(header)
		d.docker = d.MediaType == string(types.DockerManifestList)
		if sent.IsIndex() {
			// CDI's importer uses the header.
			d.docker = sent == types.DockerManifestList
		}
		return d, nil
	case d.Config != nil:
		return d.asImage(header, sent)
	case d.SchemaVersion == 1, d.fsLayers:
		return fail(ErrNotImage, "sent a manifest of schema 1, which container runtimes no longer read; push the image again with a current tool")
	case d.blobs, d.ArtifactType != "":
		return fail(ErrNotImage, "sent an artifact of the type %q, not an image (media type %q)", cut(d.ArtifactType, shownWords), header)
	}
	return fail(ErrContent, "sent neither an index nor a manifest (media type %q)", header)
}

// isIndex reports whether the document lists manifests.
func (d document) isIndex() bool { return d.listed || types.MediaType(d.MediaType).IsIndex() }

// asImage checks that a manifest belongs to an image: its configuration must be that of
// an image. Helm charts and other artifacts have the same form. sent is the type in the
// header.
func (d document) asImage(header string, sent types.MediaType) (document, error) {
	fail := func(format string, args ...any) (document, error) {
		return document{}, badContent(ErrNotImage, header, format, args...)
	}
	config := types.MediaType(d.Config.MediaType)
	if config != "" && !config.IsConfig() {
		return fail("sent an object whose configuration is %q, so it is not an image (media type %q)", cut(string(config), shownWords), header)
	}
	declared := d.MediaType
	if !types.MediaType(declared).IsImage() {
		d.MediaType = string(types.OCIManifestSchema1)
		if config == types.DockerConfigJSON {
			d.MediaType = string(types.DockerManifestSchema2)
		}
	}
	if !sent.IsImage() {
		sent = types.MediaType(d.MediaType)
	}
	// CDI's importer uses the header (containers/image manifest/oci.go: Inspect,
	// manifest/docker_schema2.go: Schema2FromManifest).
	switch {
	case sent == types.OCIManifestSchema1 && config != types.OCIConfigJSON:
		return fail("sent an OCI manifest whose configuration is %q, and CDI imports only %q (media type %q)", config, types.OCIConfigJSON, header)
	case sent == types.DockerManifestSchema2 && !inDocker(declared):
		return fail("sent a Docker manifest with the media type %q, and CDI imports only %q", cut(declared, shownWords), types.DockerManifestSchema2)
	case sent == types.DockerManifestSchema2 && d.foreignLayer != nil:
		return fail("sent a Docker manifest with a layer of the media type %q, which CDI does not import in it", cut(*d.foreignLayer, shownWords))
	}
	return d, nil
}

// inDocker reports whether Docker's form of a manifest may contain a media type
// (containers/image manifest/manifest.go: SupportedSchema2MediaType).
func inDocker(mediaType string) bool {
	return slices.Contains([]types.MediaType{
		types.DockerManifestList, types.DockerManifestSchema1, types.DockerManifestSchema1Signed, types.DockerManifestSchema2,
		types.DockerConfigJSON, types.DockerLayer, types.DockerUncompressedLayer, types.DockerForeignLayer,
		"application/vnd.docker.image.rootfs.foreign.diff.tar", "application/vnd.docker.image.rootfs.diff.tar.zstd",
	}, types.MediaType(mediaType))
}

// indexType returns the media type of an index, which may itself name a wrong one.
func (d document) indexType(header string) string {
	if types.MediaType(header).IsIndex() {
		return header
	}
	for _, child := range d.entries {
		if child.MediaType == string(types.DockerManifestSchema2) {
			return string(types.DockerManifestList)
		}
	}
	return string(types.OCIImageIndex)
}

// mediaTypeOf returns a Content-Type without its parameters.
func mediaTypeOf(contentType string) string {
	name, _, _ := strings.Cut(contentType, ";")
	name = strings.TrimSpace(name)
	if known := types.MediaType(strings.ToLower(name)); known.IsIndex() || known.IsImage() {
		return string(known)
	}
	return cut(name, shownWords)
}
