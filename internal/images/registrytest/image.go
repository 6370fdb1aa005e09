package registrytest

import (
	"fmt"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

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
