package lock

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

const index = "application/vnd.oci.image.index.v1+json"

// digest is a digest of one letter.
func digest(letter string) string { return "sha256:" + strings.Repeat(letter, 64) }

// image is an answer of these platforms ("amd64", "arm64/v8").
func image(reference, letter string, platforms ...string) registry.Image {
	out := registry.Image{Reference: reference, Digest: digest(letter), MediaType: index, Size: 700}
	for _, p := range platforms {
		architecture, variant, _ := strings.Cut(p, "/")
		out.Platforms = append(out.Platforms, arch.Platform{OS: "linux", Architecture: arch.Arch(architecture), Variant: variant, Digest: digest("0")})
	}
	return out
}

// bundleOf is the same answer of an operator bundle image.
func bundleOf(i registry.Image) registry.Image {
	i.Bundle = true
	return i
}

// source is a lock of these answers.
func source(file string, images ...registry.Image) Source {
	lock := &v1alpha1.ArchitectureLock{}
	for _, i := range images {
		locked := v1alpha1.LockedImage{Reference: i.Reference, Digest: i.Digest, MediaType: i.MediaType, Size: i.Size, Mirror: i.Mirror, Bundle: i.Bundle}
		for _, p := range i.Platforms {
			locked.Platforms = append(locked.Platforms, v1alpha1.LockedPlatform{OS: p.OS, Architecture: string(p.Architecture), Variant: p.Variant, Digest: p.Digest})
		}
		lock.Images = append(lock.Images, locked)
	}
	return Source{At: finding.Object{Kind: "ArchitectureLock", Name: "l", File: file}, Lock: lock}
}

func ref(t *testing.T, reference string) imageref.Reference {
	t.Helper()
	r, err := imageref.Parse(reference)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestNew(t *testing.T) {
	t.Parallel()
	fedora := image("quay.io/x/fedora:1", "a", "amd64", "arm64")
	pinned := image("quay.io/x/fedora@"+digest("a"), "a", "amd64")
	unsized := fedora
	unsized.Size, unsized.Mirror = 0, "mirror.example.com/x/fedora"
	for _, tc := range []struct {
		reason  string
		sources []Source
		says    []string // findings
		has     []string // references
	}{
		{"nothing locks nothing", nil, nil, nil},
		{"locks are merged", []Source{source("a.yaml", fedora), source("b.yaml", pinned)}, nil, []string{"quay.io/x/fedora:1", "quay.io/x/fedora@" + digest("a")}},
		{
			reason:  "two locks that say the same agree; what one leaves unsaid is no difference",
			sources: []Source{source("a.yaml", fedora), source("b.yaml", unsized)},
			has:     []string{"quay.io/x/fedora:1"},
		},
		{
			reason:  "a reference is looked up normalised, however it is written",
			sources: []Source{source("a.yaml", image("fedora", "a", "amd64"))},
			has:     []string{"docker.io/library/fedora:latest"},
		},
		{
			reason:  "an older lock does not say what is a bundle",
			sources: []Source{source("a.yaml", fedora), source("b.yaml", bundleOf(fedora))},
			has:     []string{"quay.io/x/fedora:1 (bundle)"},
		},
		{
			"two that disagree are an error that names both and the reference",
			[]Source{source("a.yaml", fedora), source("b.yaml", image("quay.io/x/fedora:1", "b", "amd64"))},
			[]string{
				`error GA602 ArchitectureLock/l images[0] (b.yaml): two locks disagree on "quay.io/x/fedora:1": ArchitectureLock/l (a.yaml) has amd64,arm64 (` +
					digest("a") + `), but ArchitectureLock/l (b.yaml) has amd64 (` + digest("b") + `)`,
			},
			[]string{"quay.io/x/fedora:1"},
		},
		{
			"the same digest with other platforms is a disagreement too",
			[]Source{source("a.yaml", fedora), source("b.yaml", image("quay.io/x/fedora:1", "a", "amd64"))},
			[]string{`error GA602`},
			[]string{"quay.io/x/fedora:1"},
		},
		{
			"one lock with a reference twice does not say which counts",
			[]Source{source("a.yaml", image("fedora:latest", "a", "amd64"), image("docker.io/library/fedora", "a", "amd64"))},
			[]string{`error GA602 ArchitectureLock/l images[1].reference (a.yaml): duplicate entry "docker.io/library/fedora:latest"`},
			[]string{"docker.io/library/fedora:latest"},
		},
		{
			"a digest reference has that digest, or the lock is wrong",
			[]Source{source("a.yaml", image("quay.io/x/fedora@"+digest("a"), "b", "amd64"))},
			[]string{`error GA602 ArchitectureLock/l images[0].digest (a.yaml)`},
			nil,
		},
		{
			"a reference that nobody can read",
			[]Source{source("a.yaml", image("quay.io//x", "b", "amd64"))},
			[]string{`error GA602 ArchitectureLock/l images[0].reference (a.yaml)`},
			nil,
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			l, found := New(tc.sources...)
			if len(found) != len(tc.says) {
				t.Errorf("%s: want %d findings, got %s", tc.reason, len(tc.says), found)
			}
			for i, text := range tc.says {
				if i < len(found) && !strings.HasPrefix(found[i].String(), text) {
					t.Errorf("%s: want %s, got %s", tc.reason, text, found[i])
				}
			}
			var has []string
			for _, i := range l.Images() {
				name := i.Reference
				if i.Bundle {
					name += " (bundle)"
				}
				has = append(has, name)
				if got, ok := l.Find(ref(t, i.Reference)); !ok || got.Reference != i.Reference {
					t.Errorf("%s: %s is not found", tc.reason, i.Reference)
				}
			}
			if diff := cmp.Diff(tc.has, has); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// asked is a Resolver that tells that it was asked.
type asked struct{ t *testing.T }

var errAsked = errors.New("the registry was asked")

func (a asked) Resolve(context.Context, imageref.Reference) (registry.Image, error) {
	return registry.Image{}, errAsked
}

func TestPreferAndRequire(t *testing.T) {
	t.Parallel()
	l, _ := New(source("a.yaml", image("fedora", "a", "amd64")))
	known, unknown := ref(t, "docker.io/library/fedora:latest"), ref(t, "quay.io/x/y:1")
	var lacks *MissingError
	for _, tc := range []struct {
		reason   string
		resolver registry.Resolver
		ref      imageref.Reference
		check    func(error) bool
	}{
		{"Prefer: the lock answers first", Prefer(l, asked{t}), known, func(err error) bool { return err == nil }},
		{"Prefer: the registry answers for what the lock lacks", Prefer(l, asked{t}), unknown, func(err error) bool { return errors.Is(err, errAsked) }},
		{"Require: the lock answers", Require(l, "--offline"), known, func(err error) bool { return err == nil }},
		{
			reason:   "Require: what the lock lacks nobody answers for",
			resolver: Require(l, "--offline"),
			ref:      unknown,
			check: func(err error) bool {
				return errors.As(err, &lacks) && lacks.Reference == "quay.io/x/y:1" && strings.HasSuffix(err.Error(), "(--offline)")
			},
		},
		{"Require: an empty lock has nothing", Require(Lock{}, "--offline"), known, func(err error) bool { return errors.As(err, new(*MissingError)) }},
	} {
		got, err := tc.resolver.Resolve(t.Context(), tc.ref)
		if !tc.check(err) {
			t.Errorf("%s: got %v", tc.reason, err)
		}
		if err == nil && (got.Reference != "docker.io/library/fedora:latest" || got.Digest != digest("a")) {
			t.Errorf("%s: got %+v", tc.reason, got)
		}
	}
}

func TestCompareAndText(t *testing.T) {
	t.Parallel()
	l, _ := New(source("a.yaml",
		image("r.io/x/rhel10-guest:latest", "a", "amd64", "s390x"), image("r.io/x/same:1", "a", "amd64"),
		image("r.io/x/moved:1", "a", "amd64"), image("r.io/x/gone:1", "a", "amd64"), image("r.io/x/arm:1", "a", "arm/v6", "arm/v7"),
		image("r.io/x/lies:1", "a", "amd64"),
		image("r.io/x/acme-bundle:1", "a", "amd64"), bundleOf(image("r.io/x/plain:1", "a", "amd64")),
		image("r.io/x/kept:1", "a", "amd64"), image("r.io/a/twin:1", "a", "amd64"), image("r.io/b/twin:1", "a", "amd64")))
	mirrored := image("r.io/x/same:1", "a", "amd64")
	mirrored.Mirror = "mirror.example.com/x/same:1"
	changes := Compare(l, []registry.Image{
		image("r.io/x/rhel10-guest:latest", "b", "amd64"), mirrored, image("r.io/x/moved:1", "b", "amd64"),
		image("r.io/x/new:1", "c", "amd64", "arm64"), image("r.io/x/arm:1", "b", "arm/v7", "arm/v8"), image("r.io/x/lies:1", "a", "arm64"),
		image("r.io/a/twin:1", "b", "amd64", "arm64"), image("r.io/b/twin:1", "b", "arm64"),
		bundleOf(image("r.io/x/acme-bundle:1", "a", "amd64")), image("r.io/x/plain:1", "a", "amd64"),
	}, []imageref.Reference{ref(t, "r.io/x/gone:1"), ref(t, "r.io/x/never:1")})
	const want = `r.io/a/twin:1: +arm64 (r.io/a/twin:1, sha256:aaaaaaaaaaaa -> sha256:bbbbbbbbbbbb)
r.io/b/twin:1: -amd64 +arm64 (r.io/b/twin:1, sha256:aaaaaaaaaaaa -> sha256:bbbbbbbbbbbb)
acme-bundle: an operator bundle image (r.io/x/acme-bundle:1, sha256:aaaaaaaaaaaa: the lock does not say what this digest has)
arm: -arm/v6 +arm/v8 (r.io/x/arm:1, sha256:aaaaaaaaaaaa -> sha256:bbbbbbbbbbbb)
gone: not used (r.io/x/gone:1)
lies: -amd64 +arm64 (r.io/x/lies:1, sha256:aaaaaaaaaaaa: the lock does not say what this digest has)
moved: the same architectures, other content (r.io/x/moved:1, sha256:aaaaaaaaaaaa -> sha256:bbbbbbbbbbbb)
new: not in the lock, has amd64,arm64 (r.io/x/new:1, sha256:cccccccccccc)
plain: not an operator bundle image (r.io/x/plain:1, sha256:aaaaaaaaaaaa: the lock does not say what this digest has)
rhel10-guest: -s390x (r.io/x/rhel10-guest:latest, sha256:aaaaaaaaaaaa -> sha256:bbbbbbbbbbbb)
`
	if diff := cmp.Diff(want, Text(changes)); diff != "" {
		t.Errorf("the diff for eyes; what is not asked for and which mirror answered are no difference (-want +got):\n%s", diff)
	}
}
