package registry

import (
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

const (
	// attestation is the annotation of a manifest that describes another manifest
	// (docker buildx attestation storage).
	attestation = "vnd.docker.reference.type"
	// zstd is the annotation of an image whose layers are compressed with zstd.
	// Importers prefer it among equals (containers/image internal/manifest:
	// isPreferredOver).
	zstd = "io.github.containers.compression.zstd"
)

// descriptor points at content. It is not go-containerregistry's descriptor: that one
// refuses an index with one invalid digest, and keeps texts that goldenarch does not
// need.
type descriptor struct {
	MediaType    string      `json:"mediaType"`
	ArtifactType string      `json:"artifactType"`
	Digest       string      `json:"digest"`
	Size         int64       `json:"size"`
	URLs         []unread    `json:"urls"`
	Data         []byte      `json:"data"`
	Annotations  annotations `json:"annotations"`
	Platform     *platform   `json:"platform"`
}

// platform is the platform in a descriptor or an image's configuration.
type platform struct {
	OS           string   `json:"os"`
	Architecture string   `json:"architecture"`
	Variant      string   `json:"variant"`
	OSVersion    unread   `json:"os.version"`
	OSFeatures   []unread `json:"os.features"`
}

// isAttestation reports whether an entry is an attestation, by its annotation. If a
// tool lost the annotation, the platform decides.
func (e descriptor) isAttestation() bool {
	return e.Annotations.attested || e.Platform != nil && e.Platform.OS == "unknown" && e.Platform.Architecture == "unknown"
}

// isOther reports whether an entry declares that it is neither an image nor an index.
// An artifact is neither, whatever its platform. An artifact that is an image has the
// type of its configuration (OCI distribution-spec, referrers).
func (e descriptor) isOther() bool {
	kind := types.MediaType(e.MediaType)
	return e.ArtifactType != "" && !types.MediaType(e.ArtifactType).IsConfig() ||
		kind != "" && !kind.IsIndex() && !kind.IsImage()
}

// isImage reports whether the entry declares itself an image.
func (e descriptor) isImage() bool {
	return !e.isAttestation() && !e.isOther() && !types.MediaType(e.MediaType).IsIndex()
}

// proves returns the platform that an entry of an index proves for an architecture.
func (e descriptor) proves(a arch.Arch) arch.Platform {
	return arch.Platform{OS: "linux", Architecture: a, Variant: e.Platform.Variant, Digest: e.Digest}
}

// check refuses a descriptor that goldenarch cannot follow.
func (e descriptor) check(limit int64) error {
	if !imageref.IsDigest(e.Digest) {
		return badContent(ErrContent, e.MediaType, "sent a manifest with %q, which is not a digest", cut(e.Digest, 80))
	}
	if e.Size < 0 || e.Size > limit {
		return badContent(ErrContent, e.MediaType, "sent a manifest that refers to %d bytes, more than the limit of %d", e.Size, limit)
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
