package registry

import (
	"bytes"
	"encoding/json"
	"strings"

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

// annotations is what of an entry's annotations matters.
type annotations struct{ attested, zstd bool }

// UnmarshalJSON implements json.Unmarshaler. It keeps no text. The data is valid
// JSON, so it is enough to look for the ends of texts.
func (a *annotations) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	if data[0] != '{' {
		return typeError(kindOfValue(data), "")
	}
	for at := 1; ; {
		for at < len(data) && strings.IndexByte(" \t\r\n,", data[at]) >= 0 {
			at++
		}
		if at >= len(data) || data[at] != '"' {
			return nil
		}
		key := text(data[at:])
		at += len(key)
		at += bytes.IndexByte(data[at:], ':') + 1
		for strings.IndexByte(" \t\r\n", data[at]) >= 0 {
			at++
		}
		var value []byte
		switch {
		case data[at] == '"':
			value = text(data[at:])
		case bytes.HasPrefix(data[at:], []byte("null")):
			value = data[at : at+len("null")]
		default:
			return typeError(kindOfValue(data[at:]), "")
		}
		at += len(value)
		a.note(key, value)
	}
}

// note keeps what matters of one annotation.
func (a *annotations) note(key, value []byte) {
	if len(key) < len(attestation) || len(key) > len(zstd)*6+2 { // each letter may be escaped
		return
	}
	var name, content string
	if json.Unmarshal(key, &name) != nil || name != attestation && name != zstd || json.Unmarshal(value, &content) != nil {
		return
	}
	if name == attestation {
		a.attested = content != ""
	} else {
		a.zstd = content == "true"
	}
}

// text returns the JSON text that data begins with, with its quotes.
func text(data []byte) []byte {
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return data[:i+1]
		}
	}
	return data
}
