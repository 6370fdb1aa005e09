package registry

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/types"
)

// document is what a manifest can be: an index, an image's manifest, or
// something else. The body tells which, not the header: servers send no
// Content-Type, or a wrong one.
type document struct {
	MediaType     string          `json:"mediaType"`
	ArtifactType  string          `json:"artifactType"`
	SchemaVersion int             `json:"schemaVersion"`
	Manifests     *[]descriptor   `json:"manifests"`
	Config        *descriptor     `json:"config"`
	Layers        json.RawMessage `json:"layers"`
	FSLayers      json.RawMessage `json:"fsLayers"`
	Blobs         json.RawMessage `json:"blobs"`

	// size is how many bytes the document has.
	size int
}

// descriptor points at content. It is not go-containerregistry's, which
// refuses sha512.
type descriptor struct {
	MediaType    string            `json:"mediaType"`
	ArtifactType string            `json:"artifactType"`
	Digest       string            `json:"digest"`
	Size         int64             `json:"size"`
	Data         []byte            `json:"data"`
	Annotations  map[string]string `json:"annotations"`
	Platform     *platform         `json:"platform"`
}

// platform is what a descriptor or an image's configuration says.
type platform struct {
	OS           string `json:"os"`
	Architecture string `json:"architecture"`
	Variant      string `json:"variant"`
}

// accept lists what a manifest may be. Schema 1 is not in it: a registry that
// has a newer form must not send the old one.
const accept = string(types.OCIImageIndex) + ", " + string(types.DockerManifestList) + ", " +
	string(types.OCIManifestSchema1) + ", " + string(types.DockerManifestSchema2)

// parseDocument reads a manifest and refuses what is none of an image.
func parseDocument(body []byte, contentType string) (document, error) {
	header := mediaTypeOf(contentType)
	fail := func(kind error, format string, args ...any) (document, error) {
		return document{}, &contentError{kind: kind, mediaType: header, text: fmt.Sprintf(format, args...)}
	}
	if len(strings.TrimSpace(string(body))) == 0 {
		return fail(ErrContent, "sent an empty manifest (media type %q)", header)
	}
	if err := foreign(body); err != nil {
		return fail(ErrContent, "sent no manifest: %v (media type %q)", err, header)
	}
	d := document{size: len(body)}
	if err := json.Unmarshal(body, &d); err != nil {
		return fail(ErrContent, "sent a manifest that is not the JSON expected (media type %q): %s", header, notExpected(err))
	}
	if d.MediaType != "" {
		header = cut(d.MediaType, 120)
	}
	switch {
	case d.Manifests != nil && (d.Config != nil || len(d.Layers) > 0):
		return fail(ErrContent, "sent a manifest that is an index and an image at once (media type %q), which may be read either way", header)
	case d.Manifests != nil, types.MediaType(d.MediaType).IsIndex():
		d.MediaType = d.indexType(header)
		return d, nil
	case d.Config != nil:
		return d.asImage(header)
	case d.SchemaVersion == 1, len(d.FSLayers) > 0:
		return fail(ErrNotImage, "sent a manifest of schema 1, which container runtimes no longer read; push the image again with a current tool")
	case len(d.Blobs) > 0, d.ArtifactType != "":
		return fail(ErrNotImage, "sent an artifact of the type %q, not an image (media type %q)", cut(d.ArtifactType, 120), header)
	}
	return fail(ErrContent, "sent neither an index nor a manifest (media type %q)", header)
}

// asImage checks that a manifest is an image's: its configuration must be
// one. Helm charts and other artifacts have the same form.
func (d document) asImage(header string) (document, error) {
	config := d.Config.MediaType
	// Pushers of long ago wrote none.
	if config != "" && !types.MediaType(config).IsConfig() {
		return document{}, &contentError{
			kind: ErrNotImage, mediaType: header,
			text: fmt.Sprintf("sent something whose configuration is %q, not an image (media type %q)", cut(config, 120), header),
		}
	}
	if !types.MediaType(d.MediaType).IsImage() {
		d.MediaType = string(types.OCIManifestSchema1)
		if config == string(types.DockerConfigJSON) {
			d.MediaType = string(types.DockerManifestSchema2)
		}
	}
	return d, nil
}

// indexType returns the media type of an index that may say a wrong one.
func (d document) indexType(header string) string {
	if types.MediaType(header).IsIndex() {
		return header
	}
	if d.Manifests != nil {
		for _, child := range *d.Manifests {
			if child.MediaType == string(types.DockerManifestSchema2) {
				return string(types.DockerManifestList)
			}
		}
	}
	return string(types.OCIImageIndex)
}

// mediaTypeOf takes the parameters off a Content-Type.
func mediaTypeOf(contentType string) string {
	name, _, _ := strings.Cut(contentType, ";")
	return cut(strings.ToLower(strings.TrimSpace(name)), 120)
}
