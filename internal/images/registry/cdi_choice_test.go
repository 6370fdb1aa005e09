package registry_test

import (
	"strings"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// choiceBehaviours are indexes in which one entry of several is taken.
func choiceBehaviours() []behaviour {
	const attested = `,"annotations":{"vnd.docker.reference.type":"attestation-manifest"}`
	const zstd = `,"annotations":{"io.github.containers.compression.zstd":"true"}`
	bare := func(of registrytest.Artifact) row { return row{of: of} }
	image := registrytest.Image
	statement := registrytest.OCIArtifact("application/vnd.in-toto+json")
	chart := registrytest.HelmChart()
	lying := row{of: image("linux/arm64"), platform: on("linux/amd64")}
	within := func(kind string, rows ...row) row { return row{of: listing(kind, rows...)} }
	placed := func(r row, platform string) row { r.platform = on(platform); return r }
	return []behaviour{
		{name: "no entry", serves: listing(ociIndex)},
		{name: "no entry in Docker's list", serves: listing(dockerList)},
		{name: "entries without a platform", serves: listing(ociIndex, bare(image("linux/amd64")), bare(image("linux/arm64")))},
		{
			name:   "entries without a platform in Docker's list",
			serves: listing(dockerList, bare(registrytest.DockerImage("linux/amd64")), bare(registrytest.DockerImage("linux/arm64"))),
		},
		{name: "an entry without a platform before one with it", serves: listing(ociIndex, bare(image("linux/amd64")), arm)},
		{name: "an entry without a platform behind one with it", serves: listing(ociIndex, arm, bare(image("linux/amd64")))},
		{name: "an entry without a platform for what another says", serves: listing(ociIndex, bare(image("linux/arm64")), arm)},
		{name: "an entry without a platform that is a chart", serves: listing(ociIndex, bare(chart), amd)},
		{name: "a chart before an image without a platform", serves: listing(ociIndex, bare(chart), bare(image("linux/amd64")))},
		{name: "a missing one before an image without a platform", serves: missing(listing(ociIndex, bare(image("linux/arm64")), bare(image("linux/amd64"))), 0)},
		{name: "the zstd one of two without a platform", serves: listing(ociIndex, bare(image("linux/amd64")), row{of: image("linux/arm64"), more: zstd})},
		{name: "two for one platform", serves: listing(ociIndex, amd, row{of: image("linux/amd64/v2"), platform: on("linux/amd64")})},
		{name: "two for one platform, the second zstd", serves: listing(ociIndex, amd, row{of: image("linux/amd64/v2"), platform: on("linux/amd64"), more: zstd})},
		{name: "the same entry twice", serves: listing(ociIndex, amd, amd, arm, arm)},
		{name: "a variant and none", serves: listing(ociIndex, row{of: image("linux/amd64/v2"), platform: on("linux/amd64/v2")}, amd)},
		{name: "only a variant", serves: listing(ociIndex, row{of: image("linux/amd64/v2"), platform: on("linux/amd64/v2")}, arm)},
		{name: "a variant of arm64 before none", serves: listing(ociIndex, row{of: image("linux/arm64/v8"), platform: on("linux/arm64/v8")}, arm)},
		{name: "all variants of arm", serves: listing(ociIndex, plain("linux/arm/v5"), plain("linux/arm/v6"), plain("linux/arm/v7"))},
		{name: "an attestation beside each", serves: registrytest.AttestedIndex("linux/amd64", "linux/arm64")},
		{name: "attestations alone", serves: registrytest.IndexOf(registrytest.Attestation(image("linux/amd64")))},
		{name: "an attestation without a platform first", serves: listing(ociIndex, row{of: statement, more: attested}, amd)},
		{name: "an attestation that says amd64 first", serves: listing(ociIndex, row{of: statement, platform: on("linux/amd64"), more: attested}, amd)},
		{name: "an attestation that says amd64 last", serves: listing(ociIndex, amd, row{of: statement, platform: on("linux/amd64"), more: attested})},
		{name: "an artifact that says amd64 first", serves: listing(ociIndex, row{of: chart, platform: on("linux/amd64"), kind: "application/vnd.example"}, amd)},
		{
			name:   "an artifact type that says amd64 first",
			serves: listing(ociIndex, row{of: statement, platform: on("linux/amd64"), more: `,"artifactType":"application/vnd.in-toto+json"`}, amd, arm),
		},
		{name: "an entry without a media type", serves: listing(ociIndex, row{of: image("linux/amd64"), platform: on("linux/amd64"), kind: "-"})},
		{name: "an index in an index", serves: listing(ociIndex, within(ociIndex, amd, arm))},
		{name: "Docker's list in an index", serves: listing(ociIndex, within(dockerList, amd, arm))},
		{name: "an index in an index that says amd64", serves: listing(ociIndex, placed(within(ociIndex, amd, arm), "linux/amd64"))},
		{
			name:   "an index for each architecture",
			serves: listing(ociIndex, placed(within(ociIndex, amd), "linux/amd64"), placed(within(ociIndex, arm), "linux/arm64")),
		},
		{name: "an index that says amd64 and has arm64", serves: listing(ociIndex, placed(within(ociIndex, arm), "linux/amd64"))},
		{name: "an index before an image without a platform", serves: listing(ociIndex, within(ociIndex, arm), bare(image("linux/amd64")))},
		{name: "three levels", serves: registrytest.NestedIndex(2, "linux/amd64", "linux/arm64")},
		{name: "four levels", serves: registrytest.NestedIndex(3, "linux/amd64", "linux/arm64")},
		{name: "ten levels", serves: registrytest.NestedIndex(9, "linux/amd64"), stricter: "at most 4 indexes are read within each other"},
		{name: "an entry without a platform that is not there", serves: registrytest.BareIndex("linux/amd64").Sparse()},
		{name: "an index in an index that is not there", serves: registrytest.NestedIndex(1, "linux/amd64").Sparse()},
		{name: "an entry without a platform whose image lies beside", serves: listing(ociIndex, bare(lying.of), amd)},
	}
}

// missing returns an index without one of its children.
func missing(a registrytest.Artifact, i int) registrytest.Artifact {
	a.Children = append(a.Children[:i:i], a.Children[i+1:]...)
	return a
}

// wholeBehaviours are indexes that are odd as a whole.
func wholeBehaviours() []behaviour {
	raw := func(text string) registrytest.Artifact {
		a := registrytest.Raw(ociIndex, []byte(strings.NewReplacer("AMD", amd.text(), "ARM", arm.text()).Replace(text)))
		a.Children = []registrytest.Artifact{amd.of, arm.of}
		return a
	}
	digest := amd.of.Digest()
	return []behaviour{
		{name: "an index that breaks off", serves: raw(`{"schemaVersion":2,"manifests":[AMD`)},
		{name: "an empty answer", serves: raw(``)},
		{name: "an index with something behind it", serves: raw(`{"schemaVersion":2,"manifests":[AMD]} x`)},
		{name: "a list in place of the object", serves: raw(`[AMD]`)},
		{name: "an object in place of the list", serves: raw(`{"schemaVersion":2,"manifests":AMD}`)},
		{name: "null in place of the list", serves: raw(`{"schemaVersion":2,"manifests":null}`)},
		{
			name:     "null in place of an entry",
			serves:   raw(`{"schemaVersion":2,"manifests":[null,AMD]}`),
			stricter: "an entry without a digest is broken, and so may be the others",
		},
		{name: "a text in place of an entry", serves: raw(`{"schemaVersion":2,"manifests":["amd64"]}`)},
		{name: "no schema version", serves: raw(`{"manifests":[AMD,ARM]}`)},
		{name: "another schema version", serves: raw(`{"schemaVersion":3,"manifests":[AMD,ARM]}`)},
		{name: "a schema version that is a text", serves: raw(`{"schemaVersion":"2","manifests":[AMD]}`)},
		{
			name:     "a list of manifests twice",
			serves:   raw(`{"schemaVersion":2,"manifests":[AMD],"manifests":[ARM]}`),
			stricter: "which of two fields counts is the reader's guess",
		},
		{name: "a field in another case", serves: raw(`{"schemaVersion":2,"Manifests":[AMD,ARM]}`)},
		{name: "fields that nobody knows", serves: raw(`{"schemaVersion":2,"x":{"y":[1]},"manifests":[AMD,ARM],"subject":null,"annotations":{"a":"b"}}`)},
		{
			name:   "an index that is an image as well",
			serves: raw(`{"schemaVersion":2,"manifests":[AMD],"config":{"mediaType":"` + ociConfig + `","digest":"` + digest + `","size":2},"layers":[]}`),
		},
		{name: "a digest that is none", serves: raw(`{"schemaVersion":2,"manifests":[` + strings.Replace(amd.text(), digest, "sha256:none", 1) + `]}`)},
		{name: "a digest of another algorithm", serves: raw(`{"schemaVersion":2,"manifests":[` + strings.Replace(amd.text(), digest, "md5:0123", 1) + `]}`)},
		{name: "a size that is a text", serves: raw(`{"schemaVersion":2,"manifests":[` + strings.Replace(amd.text(), `"size":`, `"size":"1","x":`, 1) + `]}`)},
		{name: "annotations that are no texts", serves: raw(`{"schemaVersion":2,"manifests":[` + strings.TrimSuffix(amd.text(), "}") + `,"annotations":{"a":1}}]}`)},
		{name: "annotations that are a list", serves: raw(`{"schemaVersion":2,"manifests":[` + strings.TrimSuffix(amd.text(), "}") + `,"annotations":[]}]}`)},
		{
			name:   "URLs of the entries",
			serves: raw(`{"schemaVersion":2,"manifests":[` + strings.TrimSuffix(amd.text(), "}") + `,"urls":["https://example.org"]},ARM]}`),
		},
		{name: "a byte order mark", serves: raw("\ufeff" + `{"schemaVersion":2,"manifests":[AMD]}`)},
		{name: "blanks around it", serves: raw(" \n\t" + `{"schemaVersion":2,"manifests":[AMD,ARM]}` + "\n\n")},
		{name: "a web page", serves: raw(`<!doctype html><html>AMD</html>`)},
		{name: "10,000 entries", serves: raw(`{"schemaVersion":2,"manifests":[` + strings.Repeat(`AMD,`, 5000) + strings.Repeat(`ARM,`, 4999) + `ARM]}`)},
		{
			name:     "more than 10,000 entries",
			serves:   raw(`{"schemaVersion":2,"manifests":[` + strings.Repeat(`AMD,`, 10_000) + `AMD]}`),
			stricter: "at most 10,000 entries are read",
		},
		{name: "an index of 3 MiB", serves: raw(`{"schemaVersion":2,"manifests":[AMD,ARM]` + strings.Repeat(" ", 3<<20) + `}`)},
	}
}
