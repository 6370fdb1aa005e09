package registry_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// deck draws indexes.
type deck struct {
	*rand.Rand
	n int
}

func pick[T any](d *deck, list ...T) T { return list[d.IntN(len(list))] }

// inline is an image, or an artifact, that carries its configuration.
func (d *deck) inline(kind, config string) registrytest.Artifact {
	a := changed(registrytest.ImageWithConfig([]byte(config)), ociConfig, kind)
	size := fmt.Sprintf(`"size":%d`, len(config))
	return changed(a, size, size+`,"data":"`+base64.StdEncoding.EncodeToString([]byte(config))+`"`)
}

// entry is one entry: most are right, some odd in one way.
func (d *deck) entry(depth int) row {
	d.n++
	os := pick(d, "linux", "linux", "linux", "linux", "linux", "Linux", " linux", "windows", "", "unknown")
	architecture := pick(d, "amd64", "amd64", "arm64", "arm64", "arm", "s390x", "x86_64", " amd64", "AMD64", "aarch64", "", "386", "unknown")
	variant := pick(d, "", "", "", "", "v8", "v7", "v5", "v2", "V8", "v9")
	r := row{platform: fmt.Sprintf(`{"os":%q,"architecture":%q,"variant":%q%s}`, os, architecture, variant,
		pick(d, "", "", "", `,"os.version":"10.0"`, `,"os.features":["win32k"]`, `,"features":["sse4"]`))}
	if d.IntN(5) == 0 {
		r.platform = pick(d, "", "", `null`, `{}`)
		os, architecture = "linux", pick(d, "amd64", "arm64", "s390x", "x86_64")
	}
	r.kind = pick(d, ociManifest, ociManifest, ociManifest, dockerImage, "-")
	r.more = pick(d, "", "", "", "", `,"annotations":{"io.github.containers.compression.zstd":"true"}`, `,"urls":[]`)
	r.of = d.inline(ociConfig, fmt.Sprintf(`{"os":%q,"architecture":%q,"variant":%q,"n":%d}`, os, architecture, variant, d.n))
	switch n := d.IntN(12); {
	case n == 0:
		r.of = d.inline("application/vnd.in-toto+json", fmt.Sprintf(`{"n":%d}`, d.n))
		r.more = `,"annotations":{"vnd.docker.reference.type":"attestation-manifest"}`
	case n == 1:
		r.of, r.kind = d.inline("application/vnd.example+json", fmt.Sprintf(`{"n":%d}`, d.n)), "application/vnd.example+json"
		if d.IntN(2) == 0 {
			r.kind, r.more = ociManifest, `,"artifactType":"application/vnd.example+json"`
		}
	case n == 2 && depth < 2:
		r.kind = pick(d, ociIndex, dockerList)
		r.of = d.index(r.kind, depth+1)
	}
	return r
}

func (d *deck) index(kind string, depth int) registrytest.Artifact {
	var entries []row
	for range d.IntN(6) {
		entries = append(entries, d.entry(depth))
		if d.IntN(6) == 0 {
			entries = append(entries, pick(d, entries...))
		}
	}
	d.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return listing(kind, entries...)
}

// TestClaimedIsWhatCDIImports holds the answers against containers/image over drawn indexes: an
// architecture is claimed exactly if CDI imports it.
func TestClaimedIsWhatCDIImports(t *testing.T) {
	t.Parallel()
	s := start(t, registrytest.Options{PlainHTTP: true})
	o := unhurried(t)
	o.Insecure = []string{s.Host()}
	c := client(t, o)
	d := &deck{Rand: rand.New(rand.NewPCG(11, 1))}
	claims, explained := 0, 0
	for n := range 3000 {
		a := d.index(pick(d, ociIndex, ociIndex, dockerList), 0)
		name := fmt.Sprintf("a/b:%d", n)
		s.Push(name, a)
		image, err := resolve(t, c, reference(t, s, name))
		cdi := newImporter(a)
		var want []string
		for _, of := range arch.All() {
			if cdi.imports(a, of) {
				want = append(want, string(of))
			}
		}
		if got := image.Platforms.Linux().Strings(); !slices.Equal(got, want) {
			t.Fatalf("index %d: CDI imports %q, goldenarch claims %q (%v)\n%s", n, want, got, err, a.Body)
		}
		claims += len(want)
		explained += len(image.RejectedEntries)
	}
	if claims < 800 || explained < 500 {
		t.Errorf("the indexes say too little: %d claims, %d entries not believed", claims, explained)
	}
}
