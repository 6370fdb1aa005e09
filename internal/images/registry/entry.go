package registry

import (
	"github.com/google/go-containerregistry/pkg/v1/types"
)

const (
	// attestation marks a manifest that says something about another one
	// (docker buildx attestation storage).
	attestation = "vnd.docker.reference.type"
	// zstd marks an image whose layers are compressed with zstd, which importers
	// prefer among equals (containers/image internal/manifest: isPreferredOver).
	zstd = "io.github.containers.compression.zstd"
)

// indexEntry is what is kept of one entry of an index.
type indexEntry struct {
	mediaType    string
	artifactType string
	digest       string
	size         int64
	// platform is as the registry sent it; nil is an entry that has none.
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

// descriptor returns what points at the entry's content.
func (e indexEntry) descriptor() descriptor {
	return descriptor{MediaType: e.mediaType, Digest: e.digest, Size: e.size}
}

// isAttestation knows an attestation by its annotation, or, where a tool lost
// that, by its platform.
func (e indexEntry) isAttestation() bool {
	return e.attested || e.platform != nil && e.platform.OS == "unknown" && e.platform.Architecture == "unknown"
}

// isOther reports whether an entry says that it is neither an image nor an
// index. One of an artifact is not, whatever platform it says. The type of an
// artifact that is an image is that of its configuration (OCI distribution-spec,
// referrers).
func (e indexEntry) isOther() bool {
	kind := types.MediaType(e.mediaType)
	return e.artifactType != "" && !types.MediaType(e.artifactType).IsConfig() ||
		kind != "" && !kind.IsIndex() && !kind.IsImage()
}

// isImage reports whether the entry is an image's by its own word.
func (e indexEntry) isImage() bool {
	return !e.isAttestation() && !e.isOther() && !types.MediaType(e.mediaType).IsIndex()
}
