package registrytest

import (
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Entry is one manifest of an index and how the index describes it.
type Entry struct {
	Artifact    Artifact
	Platform    string            // "linux/arm64/v8"; "" leaves the platform out
	Annotations map[string]string // of the descriptor
}

// Index is an OCI index with an image for each platform.
func Index(platforms ...string) Artifact {
	return IndexOf(Entries(platforms...)...)
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
	entries := Entries(platforms...)
	for _, e := range Entries(platforms...) {
		entries = append(entries, Attestation(e.Artifact))
	}
	return IndexOf(entries...)
}

// BareIndex is an OCI index whose descriptors have no platform: only the
// configs of its images say it.
func BareIndex(platforms ...string) Artifact {
	entries := Entries(platforms...)
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

// Entries is an image and its descriptor for each platform.
func Entries(platforms ...string) []Entry {
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
