package registry_test

import (
	"errors"
	"fmt"
	"maps"
	"mime"
	"slices"
	"testing"

	imagemanifest "go.podman.io/image/v5/manifest"
	"go.podman.io/image/v5/types"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// importer answers as CDI's importer does, from the content that a registry serves.
type importer struct {
	manifests map[string]registrytest.Artifact
	blobs     map[string][]byte
}

func newImporter(a registrytest.Artifact) importer {
	m := importer{map[string]registrytest.Artifact{}, map[string][]byte{}}
	m.add(a)
	return m
}

func (m importer) add(a registrytest.Artifact) {
	m.manifests[a.Digest()] = a
	maps.Copy(m.blobs, a.Blobs)
	for _, child := range a.Children {
		m.add(child)
	}
}

// imports reports whether the importer gets an image of the architecture. It chooses
// with containers/image, reads the configuration with it, and compares the
// architecture exactly (cdi pkg/importer/transport.go: readImageSource,
// validateImagePlatformMatch).
func (m importer) imports(a registrytest.Artifact, wanted arch.Arch) bool {
	for range 20 {
		kind, _, err := mime.ParseMediaType(a.ContentType)
		if err != nil {
			kind = ""
		}
		kind = imagemanifest.NormalizedMIMEType(kind)
		if !imagemanifest.MIMETypeIsMultiImage(kind) {
			return m.isFor(a.Body, kind, wanted)
		}
		list, err := imagemanifest.ListFromBlob(a.Body, kind)
		if err != nil {
			return false
		}
		chosen, err := list.ChooseInstance(&types.SystemContext{OSChoice: "linux", ArchitectureChoice: string(wanted)})
		if err != nil {
			return false
		}
		child, ok := m.manifests[chosen.String()]
		if !ok {
			return false
		}
		a = child
	}
	return false
}

func (m importer) isFor(body []byte, kind string, wanted arch.Arch) bool {
	image, err := imagemanifest.FromBlob(body, kind)
	if err != nil {
		return false
	}
	inspected, err := image.Inspect(func(b types.BlobInfo) ([]byte, error) {
		blob, ok := m.blobs[b.Digest.String()]
		if !ok || registrytest.DigestOf(blob) != b.Digest.String() {
			return nil, errors.New("blob unknown")
		}
		return blob, nil
	})
	return err == nil && inspected.Architecture == string(wanted)
}

// behaviour is one thing that a registry may serve.
type behaviour struct {
	name   string
	serves registrytest.Artifact
	// stricter is why goldenarch claims less than CDI imports; "" is the same.
	stricter string
	// lenient is why it claims more; "" is the same.
	lenient string
}

// TestBehavioursOfRegistries asks for each thing that a registry may serve, and
// compares what goldenarch claims with what CDI's importer finds: the same, or
// something else for a reason.
func TestBehavioursOfRegistries(t *testing.T) {
	t.Parallel()
	s := with(t)
	c := client(t, unhurried(t))
	rows := slices.Concat(singleBehaviours(), typeBehaviours(), platformBehaviours(), choiceBehaviours(), wholeBehaviours())
	seen, claims := map[string]bool{}, 0
	for i, row := range rows {
		if seen[row.name] {
			t.Errorf("two rows are called %q", row.name)
		}
		seen[row.name] = true
		name := fmt.Sprintf("org/row%d:1", i)
		s.Push(name, row.serves)
		image, failed := resolve(t, c, reference(t, s, name))
		got, cdi := image.Platforms.Linux(), newImporter(row.serves)
		less, more := false, false
		for _, a := range arch.All() {
			imported, claimed := cdi.imports(row.serves, a), got.Contains(a)
			less, more = less || imported && !claimed, more || claimed && !imported
			switch {
			case claimed && !imported && row.lenient == "":
				t.Errorf("%s: CDI does not import %s, and goldenarch claims it", row.name, a)
			case imported && !claimed && row.stricter == "":
				t.Errorf("%s: CDI imports %s, and goldenarch does not claim it (%v)", row.name, a, failed)
			}
		}
		if (row.stricter != "") != less || (row.lenient != "") != more {
			t.Errorf("%s: it is not as the row says: stricter %v (%q), more lenient %v (%q)", row.name, less, row.stricter, more, row.lenient)
		}
		if (len(got) == 0) != (failed != nil) {
			t.Errorf("%s: an image without architectures is an error, and the other way round: %v, %v", row.name, got, failed)
		}
		claims += len(got)
	}
	if len(rows) < 100 || claims < 60 {
		t.Errorf("want at least 100 behaviours and 60 claims, got %d and %d", len(rows), claims)
	}
}
