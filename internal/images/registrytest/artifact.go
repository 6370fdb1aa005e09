package registrytest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Artifact is a manifest as the registry serves it, and what it refers to. The
// methods return changed copies, so that odd ones are made from right ones.
type Artifact struct {
	Body        []byte
	MediaType   string            // what it is, for the descriptor that names it
	ContentType string            // the header it is served with; "" is no header
	Children    []Artifact        // manifests pushed beside it
	Blobs       map[string][]byte // configs pushed beside it, by the digest asked for

	// ClaimedDigest is what the header Docker-Content-Digest says; "" is the
	// truth.
	ClaimedDigest string
}

// Raw is a manifest of any content at all: bad JSON, an empty body, a type
// that does not fit.
func Raw(mediaType string, body []byte) Artifact {
	return Artifact{Body: body, MediaType: mediaType, ContentType: mediaType}
}

// Digest is the digest of the body.
func (a Artifact) Digest() string { return DigestOf(a.Body) }

// Served returns the artifact served with another Content-Type; "" sends none.
func (a Artifact) Served(contentType string) Artifact {
	a.ContentType = contentType
	return a
}

// Claiming returns the artifact with a Docker-Content-Digest that lies.
func (a Artifact) Claiming(digest string) Artifact {
	a.ClaimedDigest = digest
	return a
}

// Sparse returns the artifact without its children and blobs: the registry
// does not have them, as in a mirror that took one architecture only.
func (a Artifact) Sparse() Artifact {
	a.Children, a.Blobs = nil, nil
	return a
}

// Corrupt returns the artifact with blobs that are not what their digest says,
// but of the same size.
func (a Artifact) Corrupt() Artifact {
	a.Blobs = maps.Clone(a.Blobs)
	for digest, blob := range a.Blobs {
		a.Blobs[digest] = bytes.ReplaceAll(blob, []byte("amd64"), []byte("arm64"))
	}
	return a
}

// DigestOf is the sha256 digest of content.
func DigestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// descriptor names the artifact in an index.
func (a Artifact) descriptor() v1.Descriptor {
	return v1.Descriptor{MediaType: types.MediaType(a.MediaType), Size: int64(len(a.Body)), Digest: hash(a.Body)}
}

func hash(content []byte) v1.Hash {
	h, err := v1.NewHash(DigestOf(content))
	if err != nil {
		panic(fmt.Sprintf("registrytest: %v", err)) // a digest of ours is well formed
	}
	return h
}

func encode(value any) []byte {
	body, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("registrytest: %v", err)) // our own types encode
	}
	return body
}
