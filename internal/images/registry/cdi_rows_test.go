package registry_test

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// row is one entry of an index, in its own words.
type row struct {
	of       registrytest.Artifact
	platform string // JSON; "" leaves it out
	kind     string // the mediaType; "" is that of the artifact, "-" leaves it out
	digest   string // "" is that of the artifact
	size     int    // 0 is that of the artifact
	more     string // further fields
}

func (r row) text() string {
	digest, size, kind := r.of.Digest(), len(r.of.Body), fmt.Sprintf(`"mediaType":%q,`, r.of.MediaType)
	if r.digest != "" {
		digest = r.digest
	}
	if r.size != 0 {
		size = r.size
	}
	switch r.kind {
	case "":
	case "-":
		kind = ""
	default:
		kind = fmt.Sprintf(`"mediaType":%q,`, r.kind)
	}
	platform := ""
	if r.platform != "" {
		platform = `,"platform":` + r.platform
	}
	return fmt.Sprintf(`{%s"digest":%q,"size":%d%s%s}`, kind, digest, size, platform, r.more)
}

// listing is an index of the rows, OCI's or Docker's.
func listing(kind string, rows ...row) registrytest.Artifact {
	var list []string
	var children []registrytest.Artifact
	for _, r := range rows {
		list = append(list, r.text())
		children = append(children, r.of)
	}
	a := registrytest.Raw(kind, []byte(fmt.Sprintf(`{"schemaVersion":2,"mediaType":%q,"manifests":[%s]}`, kind, strings.Join(list, ","))))
	a.Children = children
	return a
}

// on is the platform of a row, "linux/arm64/v8".
func on(platform string) string {
	parts := append(strings.Split(platform, "/"), "")
	return fmt.Sprintf(`{"os":%q,"architecture":%q,"variant":%q}`, parts[0], parts[1], parts[2])
}

// plain is a row for an image of a platform.
func plain(platform string) row {
	return row{of: registrytest.Image(platform), platform: on(platform)}
}

var amd, arm = plain("linux/amd64"), plain("linux/arm64")

// singleBehaviours are images that are in no index.
func singleBehaviours() []behaviour {
	config := func(text string) registrytest.Artifact { return registrytest.ImageWithConfig([]byte(text)) }
	typed := func(kind string) registrytest.Artifact {
		return changed(registrytest.Image("linux/amd64"), ociConfig, kind)
	}
	return []behaviour{
		{name: "an image of amd64", serves: registrytest.Image("linux/amd64")},
		{name: "an image of arm64", serves: registrytest.Image("linux/arm64")},
		{name: "an image of s390x", serves: registrytest.Image("linux/s390x")},
		{name: "an image of arm with its variant", serves: registrytest.Image("linux/arm/v7")},
		{name: "an image of amd64 with a variant", serves: registrytest.Image("linux/amd64/v3")},
		{name: "an image with a variant that nobody knows", serves: registrytest.Image("linux/arm64/v99")},
		{name: "Docker's image of amd64", serves: registrytest.DockerImage("linux/amd64")},
		{name: "Docker's image of ppc64le", serves: registrytest.DockerImage("linux/ppc64le")},
		{name: "an image of an architecture that Go does not know", serves: registrytest.Image("linux/vax")},
		{
			name:     "an image for Windows",
			serves:   registrytest.Image("windows/amd64"),
			stricter: "CDI does not look at the system, and a disk for Windows containers boots nowhere",
		},
		{name: "an image for FreeBSD", serves: registrytest.Image("freebsd/arm64"), stricter: "as for Windows"},
		{name: "a configuration without a system", serves: config(`{"architecture":"amd64"}`), stricter: "an unknown system is not Linux"},
		{name: "a configuration that writes Linux", serves: config(`{"os":"Linux","architecture":"amd64"}`)},
		{name: "a configuration without an architecture", serves: config(`{"os":"linux"}`)},
		{name: "a configuration with an empty architecture", serves: config(`{"os":"linux","architecture":""}`)},
		{name: "a configuration of x86_64", serves: config(`{"os":"linux","architecture":"x86_64"}`)},
		{name: "a configuration of aarch64", serves: config(`{"os":"linux","architecture":"aarch64"}`)},
		{name: "a configuration of AMD64", serves: config(`{"os":"linux","architecture":"AMD64"}`)},
		{name: "a configuration of amd64 and a blank", serves: config(`{"os":"linux","architecture":"amd64 "}`)},
		{name: "a configuration of two architectures", serves: config(`{"os":"linux","architecture":"amd64,arm64"}`)},
		{name: "a configuration that says it in another case", serves: config(`{"os":"linux","Architecture":"arm64"}`)},
		{name: "a configuration whose architecture is a number", serves: config(`{"os":"linux","architecture":64}`)},
		{name: "a configuration whose architecture is null", serves: config(`{"os":"linux","architecture":null}`)},
		{name: "a configuration that is a list", serves: config(`[]`)},
		{name: "a configuration that is empty", serves: config(``)},
		{name: "a configuration that breaks off", serves: config(`{"os":"linux","architecture":"amd64"`)},
		{name: "a configuration that is a web page", serves: config(`<html>log in</html>`)},
		{name: "a configuration with more behind it", serves: config(`{"os":"linux","architecture":"amd64"} {}`)},
		{name: "a configuration that is not there", serves: registrytest.Image("linux/amd64").Sparse()},
		{name: "a configuration of another digest", serves: registrytest.Image("linux/amd64").Corrupt()},
		{name: "a Helm chart", serves: registrytest.HelmChart()},
		{name: "an artifact", serves: registrytest.OCIArtifact("application/vnd.example+json")},
		{name: "an artifact of the withdrawn form", serves: registrytest.ArtifactManifest()},
		{name: "schema 1", serves: registrytest.Schema1("amd64")},
		{name: "a configuration of an unknown type", serves: typed("application/vnd.example+json")},
		{name: "a configuration of Docker's type in an OCI image", serves: typed("application/vnd.docker.container.image.v1+json")},
		{name: "a configuration of no type in an OCI image", serves: typed("")},
		{name: "a configuration of OCI's type in Docker's image", serves: inDockers("application/vnd.docker.container.image.v1+json", ociConfig)},
		{name: "a configuration of no type in Docker's image", serves: inDockers("application/vnd.docker.container.image.v1+json", "")},
		{
			name:     "a configuration of an artifact in Docker's image",
			serves:   inDockers("application/vnd.docker.container.image.v1+json", "application/vnd.example+json"),
			stricter: "an artifact is no image whatever form it has",
		},
		{
			name:   "an OCI layer in Docker's image",
			serves: inDockers("application/vnd.docker.image.rootfs.diff.tar.gzip", "application/vnd.oci.image.layer.v1.tar+gzip"),
		},
		{name: "Docker's image that does not say its type", serves: inDockers(`"mediaType":"`+dockerImage+`",`, "")},
		{name: "Docker's image that says OCI's type", serves: inDockers(dockerImage, ociManifest)},
		{name: "an OCI image that does not say its type", serves: changed(registrytest.Image("linux/amd64"), `"mediaType":"`+ociManifest+`",`, "")},
		{name: "an OCI image that says Docker's type", serves: changed(registrytest.Image("linux/amd64"), ociManifest, dockerImage)},
		{name: "an OCI image of Docker's type", serves: registrytest.Image("linux/amd64").Served(dockerImage)},
		{name: "Docker's image of OCI's type", serves: registrytest.DockerImage("linux/amd64").Served(ociManifest)},
		{name: "layers that are an object", serves: changed(registrytest.Image("linux/amd64"), `"layers":[`, `"layers":{},"x":[`)},
		{name: "layers that are null", serves: changed(registrytest.Image("linux/amd64"), `"layers":[`, `"layers":null,"x":[`)},
	}
}

// changed replaces a text in a manifest, once.
func changed(a registrytest.Artifact, old, by string) registrytest.Artifact {
	a.Body = []byte(strings.Replace(string(a.Body), old, by, 1))
	return a
}

func inDockers(old, by string) registrytest.Artifact {
	return changed(registrytest.DockerImage("linux/amd64"), old, by)
}

// typeBehaviours are what registries call what they send.
func typeBehaviours() []behaviour {
	two := func() registrytest.Artifact { return registrytest.Index("linux/amd64", "linux/arm64") }
	docker := func() registrytest.Artifact { return registrytest.DockerList("linux/amd64", "linux/arm64") }
	unnamed := func(a registrytest.Artifact) registrytest.Artifact {
		return changed(a, fmt.Sprintf(`"mediaType":%q,`, a.MediaType), "")
	}
	const body = "a manifest is judged by its body: servers and proxies send any header"
	return []behaviour{
		{name: "an index", serves: two()},
		{name: "Docker's list", serves: docker()},
		{name: "an index without a media type in it", serves: unnamed(two())},
		{name: "Docker's list without a media type in it", serves: unnamed(docker())},
		{name: "an index with a parameter behind its type", serves: two().Served(ociIndex + "; charset=utf-8")},
		{name: "an index of no type", serves: two().Served(""), lenient: body},
		{name: "an image of no type", serves: registrytest.Image("linux/arm64").Served(""), lenient: body},
		{name: "an index sent as text", serves: two().Served("text/plain"), lenient: body},
		{name: "an index sent as JSON", serves: two().Served("application/json"), lenient: body},
		{name: "an index sent as bytes", serves: two().Served("application/octet-stream"), lenient: body},
		{name: "an index sent as an image", serves: two().Served(ociManifest), lenient: body},
		{name: "an image sent as an index", serves: registrytest.Image("linux/amd64").Served(ociIndex), lenient: body},
		{name: "an index of Docker's type", serves: two().Served(dockerList)},
		{name: "Docker's list of OCI's type", serves: docker().Served(ociIndex)},
		{name: "an index whose type has capitals", serves: two().Served(strings.ToUpper(ociIndex))},
	}
}

// platformBehaviours are entries that say a platform in some way, each beside one of
// s390x that says it well.
func platformBehaviours() []behaviour {
	image := registrytest.Image("linux/amd64")
	var out []behaviour
	for _, platform := range []string{
		`{"os":"Linux","architecture":"amd64"}`,
		`{"os":"LINUX","architecture":"amd64"}`,
		`{"os":" linux","architecture":"amd64"}`,
		`{"os":"linux ","architecture":"amd64"}`,
		`{"os":"","architecture":"amd64"}`,
		`{"architecture":"amd64"}`,
		`{"os":"linux"}`,
		`{"os":"linux","architecture":""}`,
		`{}`,
		`null`,
		`{"os":"linux","architecture":"x86_64"}`,
		`{"os":"linux","architecture":"AMD64"}`,
		`{"os":"linux","architecture":" amd64"}`,
		`{"os":"linux","architecture":"amd64\u0000"}`,
		`{"os":"linux","architecture":"amd64,arm64"}`,
		`{"os":"linux","architecture":"unknown"}`,
		`{"os":"unknown","architecture":"unknown"}`,
		`{"os":"windows","architecture":"amd64"}`,
		`{"os":"linux","architecture":"amd64","variant":"v1"}`,
		`{"os":"linux","architecture":"amd64","variant":"v2"}`,
		`{"os":"linux","architecture":"amd64","variant":"v3"}`,
		`{"os":"linux","architecture":"amd64","os.version":"10.0"}`,
		`{"os":"linux","architecture":"amd64","os.features":["win32k"]}`,
		`{"os":"linux","architecture":"amd64","features":["sse4"]}`,
		`{"os":"linux","architecture":"amd64","os.version":1}`,
		`{"os":"linux","architecture":"amd64","os.features":"none"}`,
		`{"os":"linux","architecture":"amd64","others":[1]}`,
		`{"OS":"linux","Architecture":"amd64"}`,
		`{"os":"linux","architecture":64}`,
		`"linux/amd64"`,
		`["linux","amd64"]`,
	} {
		out = append(out, behaviour{name: "the platform " + platform, serves: listing(ociIndex, row{of: image, platform: platform}, plain("linux/s390x"))})
	}
	for _, variant := range []string{"v5", "v6", "v7", "v8", "v9", "V7", "7", ""} {
		of := registrytest.Image(strings.TrimSuffix("linux/arm/"+variant, "/"))
		out = append(out, behaviour{name: "arm of the variant " + variant, serves: listing(ociIndex, row{of: of, platform: on("linux/arm/" + variant)})})
	}
	for _, variant := range []string{"v8", "v9", "v8.2", "V8"} {
		of := registrytest.Image("linux/arm64/" + variant)
		out = append(out, behaviour{name: "arm64 of the variant " + variant, serves: listing(dockerList, row{of: of, platform: on("linux/arm64/" + variant)})})
	}
	return out
}
