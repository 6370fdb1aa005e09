package engine

import (
	"errors"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// TestPodWords: what is said about the images of pods names the runtimes of nodes, and not
// CDI. A name of the user keeps its letters.
func TestPodWords(t *testing.T) {
	t.Parallel()
	ref, err := imageref.Parse("quay.io/a/b:CDI")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"2 entries have no platform and are not the first such entry, which is the only one that CDI selects",
		"entry 1 is not an image, and CDI reads it as amd64",
		"entry 1 has the platform linux/amd64/v9, which CDI never selects",
		`entry 1 has the operating system "Linux", and CDI accepts only "linux"`,
		`entry 1 has the architecture "x86_64", and CDI accepts only "amd64"`,
		`entry 1 has the variant "v9" of arm64, which CDI never selects`,
		`the configuration has the architecture "x86_64", and CDI accepts only "amd64"`,
		`sent an OCI manifest whose configuration is "x", and CDI imports only "y"`,
		`sent a Docker manifest with a layer of the media type "x", which CDI does not import in it`,
	} {
		q := newPodImages(nil, nil, settings.Images{})
		q.texts[ref] = []string{"b"}
		q.answer(registry.Result{Reference: ref, Err: errors.New("image \"quay.io/a/b:CDI\": " + text)}, "")
		got := q.answers["b"].Err.Error()
		if strings.Count(got, "CDI") != 1 || !strings.Contains(got, "CRI-O") {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	found := forPods(finding.List{
		{ID: finding.EntryIgnored, Text: `image "a": CDI does not use all entries of its index: ` +
			`entry 2 has the architecture "aarch64", and CDI accepts only "arm64"`},
		{ID: finding.MirrorNotForCDI, Text: "about CDI"},
	})
	if strings.Contains(found[0].Text, "CDI") || !strings.Contains(found[0].Text, "containerd") || found[1].Text != "about CDI" {
		t.Errorf("the findings are\n%s", found)
	}
}
