package registrytest

import (
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/types"
)

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
