package settings_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

func refOf(t *testing.T, text string) imageref.Reference {
	t.Helper()
	ref, err := imageref.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// in states an image in a field of a configuration, and flag with a flag.
func in(field, image string, architectures ...string) settings.StatedImage {
	return settings.StatedImage{Image: image, Architectures: arch.Named(architectures...), Field: field}
}

func flag(image string, architectures ...string) settings.StatedImage {
	return in("", image, architectures...)
}

// TestStatedImages: one table has what all sources state. Two different statements of one
// image are an error, the same statement twice is none, and a flag wins.
func TestStatedImages(t *testing.T) {
	t.Parallel()
	const one, other = "spec.overrides[0].image", "spec.imageArchitectures[docker.io/library/fedora:40]"
	for _, tc := range []struct {
		reason string
		list   []settings.StatedImage
		want   string // of fedora:40; "" for nothing
		fields []string
	}{
		{reason: "nobody states anything"},
		{reason: "the configuration", list: []settings.StatedImage{in(one, "fedora:40", "arm64")}, want: "arm64"},
		{
			reason: "another image", list: []settings.StatedImage{in(one, "fedora:41", "arm64"), in(other, "fedora:40", "amd64")},
			want: "amd64",
		},
		{
			reason: "one image in two spellings, the same twice",
			list:   []settings.StatedImage{in(one, "fedora:40", "amd64"), in(other, "docker.io/library/fedora:40", "x86_64")}, want: "amd64",
		},
		{
			reason: "one image in two spellings, and two different things",
			list:   []settings.StatedImage{in(one, "fedora:40", "amd64"), in(other, "docker.io/library/fedora:40", "arm64")},
			want:   "amd64", fields: []string{other},
		},
		{
			reason: "a flag wins, and that is no mistake",
			list:   []settings.StatedImage{in(one, "fedora:40", "amd64"), flag("docker.io/library/fedora:40", "arm64")}, want: "arm64",
		},
		{reason: "no reference", list: []settings.StatedImage{in(one, "quay.io/A B", "amd64")}, fields: []string{one}},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			images, found := settings.NewImages(tc.list)
			set, ok := images.Find(refOf(t, "docker.io/library/fedora:40"))
			if ok != (tc.want != "") || set.String() != tc.want {
				t.Errorf("want %q, got %q, %v", tc.want, set, ok)
			}
			var fields []string
			for _, f := range found {
				fields = append(fields, f.Field)
				if f.ID != finding.ConfigInvalid || f.Severity != finding.Error {
					t.Errorf("want an error about the configuration, got %s", f)
				}
			}
			if diff := cmp.Diff(tc.fields, fields); diff != "" {
				t.Errorf("(-want +got):\n%s\n%v", diff, found)
			}
		})
	}
}

// TestUnusedImages: what the input does not have is reported with its place, and a flag with its
// name. An invalid reference is reported by itself.
func TestUnusedImages(t *testing.T) {
	t.Parallel()
	images, _ := settings.NewImages([]settings.StatedImage{
		in("spec.overrides[0].image", "quay.io/a/used:1", "amd64"), in("spec.overrides[1].image", "quay.io/a/other:1", "amd64"),
		{Image: "quay.io/a/shared:1", Field: "spec.imageArchitectures[quay.io/a/shared:1]", MayBeUnused: true},
		in("spec.overrides[2].image", "quay.io/A B", "amd64"), flag("quay.io/a/used:1", "arm64"), flag("quay.io/a/flag:1", "arm64"),
	})
	var got []string
	for _, f := range images.Unused(map[imageref.Reference]bool{refOf(t, "quay.io/a/used:1"): true}) {
		got = append(got, string(f.ID)+" "+f.Field)
	}
	if diff := cmp.Diff([]string{"GA206 spec.overrides[1].image", "GA206 "}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
