package registry

import (
	"github.com/google/go-containerregistry/pkg/v1/types"
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

// indexEntry is what the decoder keeps of one entry of an index.
type indexEntry struct {
	mediaType    string
	artifactType string
	digest       string
	size         int64
	// platform is what the registry sent; nil if the entry has no platform.
	platform *platform
	attested bool
	zstd     bool
}

func (d descriptor) entry() indexEntry {
	return indexEntry{
		mediaType: d.MediaType, artifactType: d.ArtifactType, digest: d.Digest, size: d.Size,
		platform: d.Platform, attested: d.Annotations.attested, zstd: d.Annotations.zstd,
	}
}

// descriptor returns the descriptor of the entry's content.
func (e indexEntry) descriptor() descriptor {
	return descriptor{MediaType: e.mediaType, Digest: e.digest, Size: e.size}
}

// isAttestation reports whether an entry is an attestation, by its annotation. If a
// tool lost the annotation, the platform decides.
func (e indexEntry) isAttestation() bool {
	return e.attested || e.platform != nil && e.platform.OS == "unknown" && e.platform.Architecture == "unknown"
}

// isOther reports whether an entry declares that it is neither an image nor an index.
// An artifact is neither, whatever its platform. An artifact that is an image has the
// type of its configuration (OCI distribution-spec, referrers).
func (e indexEntry) isOther() bool {
	kind := types.MediaType(e.mediaType)
	return e.artifactType != "" && !types.MediaType(e.artifactType).IsConfig() ||
		kind != "" && !kind.IsIndex() && !kind.IsImage()
}

// isImage reports whether the entry declares itself an image.
func (e indexEntry) isImage() bool {
	return !e.isAttestation() && !e.isOther() && !types.MediaType(e.mediaType).IsIndex()
}
