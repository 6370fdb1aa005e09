package registry_test

import (
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

const (
	ociIndexType = "application/vnd.oci.image.index.v1+json"
	ociImageType = "application/vnd.oci.image.manifest.v1+json"
)

// contentRows are manifests and configs of any shape.
func contentRows() []matrixRow {
	right := outcome{platforms: appFound}
	two := func() registrytest.Artifact { return registrytest.Index("linux/amd64", "linux/arm64") }
	raw := func(body string) func(*world) { return pushed(registrytest.Raw(ociIndexType, []byte(body))) }
	bad := func(says ...string) outcome { return outcome{kind: registry.ErrContent, says: says} }
	noImage := func(says ...string) outcome { return outcome{kind: registry.ErrNotImage, says: says} }
	none := func(says ...string) outcome { return outcome{kind: registry.ErrNoPlatform, says: says} }
	other := "org/app@sha256:" + strings.Repeat("a", 64)
	// one is a row for a manifest that is all there is to ask for.
	one := func(row, variant, sent string, a registrytest.Artifact, want outcome) matrixRow {
		return matrixRow{row: row, variant: variant, sent: sent, push: pushed(a), want: want, requests: exactly(1)}
	}
	config := func(row, variant, config string, want outcome) matrixRow {
		return matrixRow{
			row:      row,
			variant:  variant,
			sent:     "a config " + config,
			push:     pushed(registrytest.ImageWithConfig([]byte(config))),
			want:     want,
			requests: exactly(2),
		}
	}
	return []matrixRow{
		{
			row: "digest reference, wrong content", sent: "another index than the digest says", ask: []string{"HOST/" + other},
			push: func(w *world) { w.registry.Push(other, two()) }, want: bad("digest", two().Digest()), requests: exactly(1),
			also: func(w *world, results []registry.Result) {
				outcome{kind: registry.ErrDiffers}.check(w.T, "It has a kind of its own.", results[0].Reference, results[0].Image, results[0].Err)
			},
		},
		{
			row: "lying Docker-Content-Digest", sent: "a header with another digest", push: pushed(two().Claiming("sha256:" + strings.Repeat("0", 64))),
			want: right, requests: exactly(1), also: func(w *world, results []registry.Result) {
				if got := results[0].Image.Digest; got != two().Digest() {
					w.Errorf("the digest must be our own, got %s", got)
				}
			},
		},
		{
			row: "config of wrong content", variant: "same size", sent: "arm64 where the digest is amd64's",
			push: pushed(registrytest.Image("linux/amd64").Corrupt()), want: bad("digest"), requests: exactly(2),
		},
		{
			row:      "bad JSON, empty body, wrong types",
			variant:  "bad JSON",
			sent:     `{"manifests":[`,
			push:     raw(`{"manifests":[`),
			want:     bad("not the JSON", ociIndexType),
			requests: exactly(1),
		},
		{
			row:      "bad JSON, empty body, wrong types",
			variant:  "empty",
			sent:     "nothing at all",
			push:     raw(""),
			want:     bad("empty manifest", ociIndexType),
			requests: exactly(1),
		},
		{
			row:      "bad JSON, empty body, wrong types",
			variant:  "object",
			sent:     "an object for a list",
			push:     raw(`{"manifests":{"a":1}}`),
			want:     bad(`"manifests" is a JSON object`, ociIndexType),
			requests: exactly(1),
		},
		{
			row:      "bad JSON, empty body, wrong types",
			variant:  "list",
			sent:     "a list for an object",
			push:     raw(`[]`),
			want:     bad("JSON array", ociIndexType),
			requests: exactly(1),
		},
		{
			row:      "bad JSON, empty body, wrong types",
			variant:  "two in one",
			sent:     "an index and an image at once",
			push:     raw(`{"manifests":[],"config":{"mediaType":"` + ociImageType + `","digest":"x","size":1}}`),
			want:     bad("both an index and an image"),
			requests: exactly(1),
		},
		one("bad JSON, empty body, wrong types", "XML", "XML, as stores send it",
			registrytest.Raw("application/xml", []byte("<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code></Error>")),
			bad("XML", "application/xml")),
		{
			row:      "HTML page",
			variant:  "200",
			sent:     "a captive portal's page with the status 200",
			wrap:     fault(registrytest.HTMLPage()),
			want:     bad("web page", "captive portal", "text/html"),
			requests: exactly(1),
		},
		{
			row: "HTML page", variant: "403", sent: "the page with 403", wrap: fault(registrytest.ReplyBody(403, "text/html", []byte("<html>Log in</html>"), nil)),
			want: outcome{kind: registry.ErrDenied, status: 403, says: []string{"web page"}}, requests: exactly(2),
		},
		one("Content-Type missing or wrong", "missing", "no Content-Type", two().Served(""), right),
		one("Content-Type missing or wrong", "JSON", "application/json", two().Served("application/json"), right),
		one("Content-Type missing or wrong", "bytes", "application/octet-stream", two().Served("application/octet-stream"), right),
		one("Content-Type missing or wrong", "parameter", "a parameter behind the type", two().Served(ociIndexType+"; charset=utf-8"), right),
		one("Content-Type missing or wrong", "lie", "the type of an image, and an index", two().Served(ociImageType), right),
		one("sparse index", "", "an index whose children are not there, which nobody need ask for", two().Sparse(), right),
		{
			row: "sparse index", variant: "verified", sent: "the same, to who wants to know", push: pushed(two().Sparse()), requests: exactly(4), // and /v2/
			client: func(w *world) {
				w.resolver = func(r registry.Resolver) registry.Resolver {
					return r.(*registry.Client).Verified(v1alpha1.VerifyChildren)
				}
			},
			want: outcome{kind: registry.ErrNotFound, status: 404, says: []string{"linux/amd64", "linux/arm64", "mirror it again"}},
		},
		{
			row:      "nested index",
			sent:     "an index within an index",
			push:     pushed(registrytest.NestedIndex(1, "linux/amd64", "linux/arm64")),
			want:     right,
			requests: exactly(2),
		},
		{
			row: "index loop, 60 levels", variant: "loop", sent: "an index that names itself, by a false digest",
			push: func(w *world) { registrytest.PushLoop(w.registry.Store, "org/app", "1") }, want: bad("digest"), requests: exactly(2),
		},
		{
			row:      "index loop, 60 levels",
			variant:  "levels",
			sent:     "60 indexes within each other",
			push:     pushed(registrytest.NestedIndex(60, "linux/amd64")),
			want:     bad("more than 4 levels"),
			requests: atMost(5),
		},
		{
			row: "descriptor without platform", sent: "an index that does not say what its images are for: CDI takes the first, so it and its config are read",
			push: pushed(registrytest.BareIndex("linux/amd64", "linux/arm64/v8")), want: outcome{platforms: "linux/amd64"}, requests: exactly(3),
		},
		{
			row: "descriptor without platform", variant: "missing", sent: "the same without the images: never a default",
			push: pushed(registrytest.BareIndex("linux/amd64").Sparse()), requests: exactly(3), // who has a login asks /v2/ too

			want: outcome{kind: registry.ErrNotFound, status: 404, says: []string{"MANIFEST_UNKNOWN", registrytest.Image("linux/amd64").Digest(), "mirror it again"}},
		},
		one("unknown/unknown attestations", "", "an attestation beside each image", registrytest.AttestedIndex("linux/amd64", "linux/arm64"), right),
		one("unknown/unknown attestations", "alone", "attestations and nothing else",
			registrytest.IndexOf(registrytest.Attestation(two())), none("without any image")),
		one("windows, other systems", "beside", "windows, freebsd and linux",
			registrytest.Index("windows/amd64", "freebsd/arm64", "linux/s390x"), outcome{platforms: "linux/s390x"}),
		one("windows, other systems", "alone", "windows and freebsd", registrytest.Index("windows/amd64", "freebsd/arm64"), none("freebsd/arm64, windows/amd64")),
		one("variants", "", "arm/v5, arm/v7, arm64/v8 and amd64/v2",
			registrytest.Index("linux/arm/v5", "linux/arm/v7", "linux/arm64/v8", "linux/amd64/v2"),
			outcome{platforms: "linux/amd64/v2 linux/arm/v5 linux/arm/v7 linux/arm64/v8"}),
		one("duplicates, 2000 entries", "entries", "2,000 entries of two platforms", registrytest.LongIndex(2000), right),
		{
			row: "duplicates, 2000 entries", variant: "two for one", sent: "two images for linux/amd64: the first one counts, as for runtimes",
			push: pushed(registrytest.IndexOf(
				registrytest.Entry{Artifact: registrytest.Image("linux/amd64"), Platform: "linux/amd64"},
				registrytest.Entry{Artifact: registrytest.DockerImage("linux/amd64"), Platform: "linux/amd64"})),
			want: outcome{platforms: "linux/amd64"}, requests: exactly(1), also: func(w *world, results []registry.Result) {
				got := ""
				if platforms := results[0].Image.Platforms; len(platforms) > 0 {
					got = platforms[0].Digest
				}
				if got != registrytest.Image("linux/amd64").Digest() {
					w.Errorf("want the first one's digest, got %s", got)
				}
			},
		},
		one("empty index", "", "an index of nothing", registrytest.IndexOf(), none("without any image")),
		one("schema 1", "", "a manifest of schema 1", registrytest.Schema1("amd64"), noImage("schema 1")),
		one("OCI artifact, helm chart", "chart", "a Helm chart", registrytest.HelmChart(), noImage("helm")),
		one("OCI artifact, helm chart", "artifact", "an artifact with the empty config",
			registrytest.OCIArtifact("application/vnd.example+json"), noImage("vnd.oci.empty")),
		one("artifact manifest", "", "the withdrawn artifact manifest", registrytest.ArtifactManifest(), noImage("vnd.example")),
		{
			row: "config missing", sent: "404 for the config", push: pushed(registrytest.Image("linux/amd64").Sparse()),
			want: outcome{kind: registry.ErrNotFound, status: 404, says: []string{"BLOB_UNKNOWN", "is incomplete"}}, requests: exactly(3),
		},
		config("config without architecture, aliases", "none", `{"os":"linux"}`, none("linux/unknown")),
		config("config without architecture, aliases", "x86_64", `{"os":"Linux","architecture":"X86_64"}`, none(`"X86_64"`, `CDI accepts only "amd64"`)),
		config("config without architecture, aliases", "aarch64", `{"os":"linux","architecture":"aarch64"}`, none(`"aarch64"`, `CDI accepts only "arm64"`)),
		one("inline config", "", "the config within the manifest: one request less", registrytest.ImageWithInlineConfig("linux/arm64"),
			outcome{platforms: "linux/arm64"}),
		config("operator bundle", "as built", bundleConfig, outcome{platforms: "linux/amd64"}),
	}
}

// bundleConfig is the config of an operator bundle: files that any node can read,
// built on one.
const bundleConfig = `{"os":"linux","architecture":"amd64","config":{"Labels":{"operators.operatorframework.io.bundle.mediatype.v1":"registry+v1"}}}`
