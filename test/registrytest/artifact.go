package registrytest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

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
func DigestOf(content []byte) string { return hash(content).String() }

// descriptor names the artifact in an index.
func (a Artifact) descriptor() v1.Descriptor {
	return v1.Descriptor{MediaType: types.MediaType(a.MediaType), Size: int64(len(a.Body)), Digest: hash(a.Body)}
}

func hash(content []byte) v1.Hash {
	sum := sha256.Sum256(content)
	return v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(sum[:])}
}

func encode(value any) []byte {
	body, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("registrytest: %v", err)) // our own types encode
	}
	return body
}

// Image is an OCI image for one platform, such as "linux/amd64": a single
// manifest, its architecture in the config blob.
func Image(platform string) Artifact {
	return ImageWithConfig(configOf(platform))
}

// DockerImage is [Image] with Docker's media types.
func DockerImage(platform string) Artifact {
	return image(types.DockerManifestSchema2, types.DockerConfigJSON, configOf(platform))
}

// ImageWithConfig is an OCI image whose config blob is the given bytes.
func ImageWithConfig(config []byte) Artifact {
	return image(types.OCIManifestSchema1, types.OCIConfigJSON, config)
}

// ImageWithInlineConfig is an OCI image that carries its config in the
// descriptor's data: the blob need not be asked for, and is not there.
func ImageWithInlineConfig(platform string) Artifact {
	config := configOf(platform)
	m := manifest(types.OCIManifestSchema1, types.OCIConfigJSON, config)
	m.Config.Data = config
	return Raw(string(m.MediaType), encode(m))
}

func image(mediaType, configType types.MediaType, config []byte) Artifact {
	a := Raw(string(mediaType), encode(manifest(mediaType, configType, config)))
	a.Blobs = map[string][]byte{DigestOf(config): config}
	return a
}

func manifest(mediaType, configType types.MediaType, config []byte) v1.Manifest {
	layer, layerType := []byte("a disk"), types.OCILayer
	if mediaType == types.DockerManifestSchema2 {
		layerType = types.DockerLayer
	}
	return v1.Manifest{
		SchemaVersion: 2,
		MediaType:     mediaType,
		Config:        v1.Descriptor{MediaType: configType, Size: int64(len(config)), Digest: hash(config)},
		Layers:        []v1.Descriptor{{MediaType: layerType, Size: int64(len(layer)), Digest: hash(layer)}},
	}
}

// configOf is the config blob of an image for a platform.
func configOf(platform string) []byte {
	p := platformOf(platform)
	config := map[string]any{
		"os":           p.OS,
		"architecture": p.Architecture,
		"config":       map[string]any{},
		"rootfs":       map[string]any{"type": "layers", "diff_ids": []string{}},
	}
	if p.Variant != "" {
		config["variant"] = p.Variant
	}
	return encode(config)
}

// platformOf reads "linux/arm/v7".
func platformOf(s string) *v1.Platform {
	parts := strings.Split(s, "/")
	if len(parts) < 2 || len(parts) > 3 {
		panic(fmt.Sprintf("registrytest: platform %q: want os/architecture or os/architecture/variant", s))
	}
	p := &v1.Platform{OS: parts[0], Architecture: parts[1]}
	if len(parts) == 3 {
		p.Variant = parts[2]
	}
	return p
}

// Entry is one manifest of an index and how the index describes it.
type Entry struct {
	Artifact    Artifact
	Platform    string            // "linux/arm64/v8"; "" leaves the platform out
	Annotations map[string]string // of the descriptor
}

// Index is an OCI index with an image for each platform.
func Index(platforms ...string) Artifact {
	return IndexOf(entriesOf(platforms...)...)
}

// DockerList is a Docker manifest list with an image for each platform.
func DockerList(platforms ...string) Artifact {
	entries := make([]Entry, 0, len(platforms))
	for _, p := range platforms {
		entries = append(entries, Entry{Artifact: DockerImage(p), Platform: p})
	}
	return index(types.DockerManifestList, entries)
}

// AttestedIndex is an OCI index as BuildKit writes it: beside each image an
// attestation for the platform unknown/unknown.
func AttestedIndex(platforms ...string) Artifact {
	entries := entriesOf(platforms...)
	for _, e := range entriesOf(platforms...) {
		entries = append(entries, Attestation(e.Artifact))
	}
	return IndexOf(entries...)
}

// BareIndex is an OCI index whose descriptors have no platform: only the
// configs of its images say it.
func BareIndex(platforms ...string) Artifact {
	entries := entriesOf(platforms...)
	for i := range entries {
		entries[i].Platform = ""
	}
	return IndexOf(entries...)
}

// NestedIndex is an index of depth levels of indexes around one with the given
// platforms; depth 0 is [Index].
func NestedIndex(depth int, platforms ...string) Artifact {
	a := Index(platforms...)
	for range depth {
		a = IndexOf(Entry{Artifact: a})
	}
	return a
}

// IndexOf is an OCI index of any entries.
func IndexOf(entries ...Entry) Artifact {
	return index(types.OCIImageIndex, entries)
}

// entriesOf is an image and its descriptor for each platform.
func entriesOf(platforms ...string) []Entry {
	entries := make([]Entry, 0, len(platforms))
	for _, p := range platforms {
		entries = append(entries, Entry{Artifact: Image(p), Platform: p})
	}
	return entries
}

// Attestation is BuildKit's entry for the provenance of an image.
func Attestation(of Artifact) Entry {
	return Entry{
		Artifact: OCIArtifact("application/vnd.in-toto+json"),
		Platform: "unknown/unknown",
		Annotations: map[string]string{
			"vnd.docker.reference.type":   "attestation-manifest",
			"vnd.docker.reference.digest": of.Digest(),
		},
	}
}

func index(mediaType types.MediaType, entries []Entry) Artifact {
	m := v1.IndexManifest{SchemaVersion: 2, MediaType: mediaType, Manifests: []v1.Descriptor{}}
	children := make([]Artifact, 0, len(entries))
	for _, e := range entries {
		d := e.Artifact.descriptor()
		d.Annotations = e.Annotations
		if e.Platform != "" {
			d.Platform = platformOf(e.Platform)
		}
		m.Manifests = append(m.Manifests, d)
		children = append(children, e.Artifact)
	}
	a := Raw(string(mediaType), encode(m))
	a.Children = children
	return a
}

// HelmChart is a Helm chart: an OCI manifest whose config is not the config of an image.
func HelmChart() Artifact {
	return image(types.OCIManifestSchema1, "application/vnd.cncf.helm.config.v1+json",
		[]byte(`{"name":"chart","version":"1.0.0","apiVersion":"v2"}`))
}

// OCIArtifact is an artifact as the OCI image specification 1.1 has it: a
// manifest with the empty config and an artifact type.
func OCIArtifact(artifactType string) Artifact {
	empty := []byte("{}")
	m := struct {
		SchemaVersion int            `json:"schemaVersion"`
		MediaType     string         `json:"mediaType"`
		ArtifactType  string         `json:"artifactType"`
		Config        map[string]any `json:"config"`
		Layers        []any          `json:"layers"`
	}{
		SchemaVersion: 2,
		MediaType:     string(types.OCIManifestSchema1),
		ArtifactType:  artifactType,
		Config:        map[string]any{"mediaType": "application/vnd.oci.empty.v1+json", "digest": DigestOf(empty), "size": len(empty)},
		Layers:        []any{},
	}
	a := Raw(m.MediaType, encode(m))
	a.Blobs = map[string][]byte{DigestOf(empty): empty}
	return a
}

// ArtifactManifest is the artifact manifest of the OCI image specification 1.1
// release candidates, since withdrawn: no config, no layers.
func ArtifactManifest() Artifact {
	const mediaType = "application/vnd.oci.artifact.manifest.v1+json"
	return Raw(mediaType, encode(map[string]any{
		"mediaType": mediaType, "artifactType": "application/vnd.example", "blobs": []any{},
	}))
}

// Schema1 is a Docker manifest of schema version 1, which says its one
// architecture itself.
func Schema1(architecture string) Artifact {
	return Raw(string(types.DockerManifestSchema1Signed), encode(map[string]any{
		"schemaVersion": 1, "name": "app", "tag": "1", "architecture": architecture,
		"fsLayers": []any{}, "history": []any{}, "signatures": []any{},
	}))
}

// BigIndex is an index for amd64 and arm64 that blanks make at least size
// bytes long.
func BigIndex(size int) Artifact {
	a := Index("linux/amd64", "linux/arm64")
	a.Body = append(a.Body, strings.Repeat(" ", max(0, size-len(a.Body)))...)
	return a
}

// LongIndex is an index of n entries, amd64 and arm64 by turns, all of
// different digests and none of them in the registry.
func LongIndex(n int) Artifact {
	entries := make([]Entry, n)
	for i := range entries {
		platform := []string{"linux/amd64", "linux/arm64"}[i%2]
		child := Raw(string(types.OCIManifestSchema1), encode(map[string]any{"schemaVersion": 2, "entry": i}))
		entries[i] = Entry{Artifact: child, Platform: platform}
	}
	return IndexOf(entries...).Sparse()
}

// PushLoop puts an index into the store that names itself, by a digest that is
// not its own: no honest digest can make a loop. It is served by tag and by
// that digest.
func PushLoop(s *Store, repository, tag string) {
	falseDigest := DigestOf([]byte("loop"))
	body := encode(map[string]any{
		"schemaVersion": 2, "mediaType": types.OCIImageIndex,
		"manifests": []any{map[string]any{"mediaType": types.OCIImageIndex, "digest": falseDigest, "size": 7}},
	})
	a := Raw(string(types.OCIImageIndex), body).Claiming(falseDigest)
	s.Push(repository+":"+tag, a).Push(repository+"@"+falseDigest, a)
}
