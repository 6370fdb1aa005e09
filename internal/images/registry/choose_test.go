package registry

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	imagemanifest "go.podman.io/image/v5/manifest"
	"go.podman.io/image/v5/types"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// imports reports whether CDI's importer, asked for an architecture, gets an image
// of it. It chooses as containers/image does, follows indexes within indexes, and
// compares the configured architecture exactly (cdi pkg/importer/transport.go:
// validateImagePlatformMatch).
func imports(f *fakeRegistry, body, mediaType string, a arch.Arch) bool {
	for range maxDepth {
		if mediaType == ociManifest || mediaType == dockerImage {
			break
		}
		list, err := imagemanifest.ListFromBlob([]byte(body), mediaType)
		if err != nil {
			return false
		}
		// The importer runs on Linux and sets no system.
		digest, err := list.ChooseInstance(&types.SystemContext{OSChoice: "linux", ArchitectureChoice: string(a)})
		if err != nil {
			return false
		}
		f.mu.Lock()
		child, ok := f.raw["/v2/a/b/manifests/"+digest.String()]
		f.mu.Unlock()
		if !ok {
			return false
		}
		body, mediaType = child.body, child.mediaType
	}
	var m struct {
		Config struct {
			MediaType string `json:"mediaType"`
			Data      []byte `json:"data"`
		} `json:"config"`
	}
	var c struct {
		Architecture string `json:"architecture"`
	}
	if json.Unmarshal([]byte(body), &m) != nil || json.Unmarshal(m.Config.Data, &c) != nil {
		return false
	}
	return c.Architecture == string(a)
}

// deck draws indexes.
type deck struct {
	*rand.Rand
	t *testing.T
	f *fakeRegistry
	n int
}

func pick[T any](d *deck, list ...T) T { return list[d.IntN(len(list))] }

// image stores an image and returns its digest and size.
func (d *deck) image(os, architecture, variant string) (string, int) {
	d.n++
	c := fmt.Sprintf(`{"os":%q,"architecture":%q,"variant":%q,"n":%d}`, os, architecture, variant, d.n)
	return d.store(ociManifest, inlined(c, ociConfig))
}

func inlined(c, configType string) string {
	data, _ := json.Marshal([]byte(c)) // base64
	return manifest(ociManifest, configType, digestOf([]byte(c)), len(c), `,"data":`+string(data))
}

func (d *deck) store(mediaType, body string) (string, int) {
	digest := digestOf([]byte(body))
	d.f.mu.Lock()
	defer d.f.mu.Unlock()
	d.f.raw["/v2/a/b/manifests/"+digest] = content{mediaType, body}
	return digest, len(body)
}

// entry is one entry: most are right, some odd in one way.
func (d *deck) entry(depth int) string {
	os := pick(d, "linux", "linux", "linux", "linux", "linux", "Linux", " linux", "windows", "", "unknown")
	architecture := pick(d, "amd64", "amd64", "arm64", "arm64", "arm", "s390x", "x86_64", " amd64", "AMD64", "aarch64", "", "386", "unknown")
	variant := pick(d, "", "", "", "", "v8", "v7", "v5", "v2", "V8", "v9")
	platform := fmt.Sprintf(`,"platform":{"os":%q,"architecture":%q,"variant":%q%s}`, os, architecture, variant,
		pick(d, "", "", "", `,"os.version":"10.0"`, `,"os.features":["win32k"]`, `,"features":["sse4"]`))
	if d.IntN(5) == 0 {
		platform = pick(d, "", "", `,"platform":null`, `,"platform":{}`)
		os, architecture = "linux", pick(d, "amd64", "arm64", "s390x", "x86_64")
	}
	mediaType := pick(d, ociManifest, ociManifest, ociManifest, dockerImage, "")
	more := pick(d, "", "", "", "", `,"annotations":{"io.github.containers.compression.zstd":"true"}`, `,"urls":[]`)
	digest, size := d.image(os, architecture, variant)
	switch n := d.IntN(12); {
	case n == 0:
		digest, size = d.store(ociManifest, inlined(fmt.Sprintf(`{"n":%d}`, d.IntN(1e6)), "application/vnd.in-toto+json"))
		more = `,"annotations":{"vnd.docker.reference.type":"attestation-manifest"}`
	case n == 1:
		digest, size = d.store(ociManifest, inlined(fmt.Sprintf(`{"n":%d}`, d.IntN(1e6)), "application/vnd.example+json"))
		mediaType = "application/vnd.example+json"
		if d.IntN(2) == 0 {
			mediaType, more = ociManifest, `,"artifactType":"application/vnd.example+json"`
		}
	case n == 2 && depth < 2:
		mediaType = pick(d, ociIndex, dockerList)
		digest, size = d.store(mediaType, d.index(mediaType, depth+1))
	}
	return fmt.Sprintf(`{"mediaType":%q,"digest":%q,"size":%d%s%s}`, mediaType, digest, size, platform, more)
}

func (d *deck) index(mediaType string, depth int) string {
	var entries []string
	for range d.IntN(6) {
		entries = append(entries, d.entry(depth))
		if d.IntN(6) == 0 {
			entries = append(entries, pick(d, entries...))
		}
	}
	d.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return fmt.Sprintf(`{"schemaVersion":2,"mediaType":%q,"manifests":[%s]}`, mediaType, strings.Join(entries, ","))
}

// TestClaimedIsWhatCDIImports holds the answers against containers/image over drawn
// indexes: an architecture is claimed exactly if CDI imports it.
func TestClaimedIsWhatCDIImports(t *testing.T) {
	t.Parallel()
	f := serve(t, plainHTTP, nil)
	c := New(f.options())
	defer c.Close()
	ref := func(n int) imageref.Reference { return f.ref(t, fmt.Sprintf("a/b:%d", n)) }
	d := &deck{Rand: rand.New(rand.NewPCG(11, 1)), t: t, f: f}
	claims, explained := 0, 0
	for n := range 3000 {
		mediaType := pick(d, ociIndex, ociIndex, dockerList)
		body := d.index(mediaType, 0)
		f.mu.Lock()
		f.raw[fmt.Sprintf("/v2/a/b/manifests/%d", n)] = content{mediaType, body}
		f.mu.Unlock()
		image, err := c.Resolve(run(t), ref(n))
		var want []string
		for _, a := range arch.All() {
			if imports(f, body, mediaType, a) {
				want = append(want, string(a))
			}
		}
		if got := image.Platforms.Linux().Strings(); !slices.Equal(got, want) {
			t.Fatalf("index %d: CDI imports %q, goldenarch claims %q (%v)\n%s", n, want, got, err, body)
		}
		claims += len(want)
		explained += len(image.RejectedEntries)
	}
	if claims < 800 || explained < 500 {
		t.Errorf("the indexes say too little: %d claims, %d entries not believed", claims, explained)
	}
}
