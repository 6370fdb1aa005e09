package pipeline

import (
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// Nodes pull the images of pods with CRI-O or containerd, and not with CDI. CDI and CRI-O
// share the library that chooses an entry of an index (containers/image internal/manifest:
// chooseInstance). It compares architectures exactly. Where no entry of an OCI index names an
// architecture, it takes the first entry without a platform, whatever is in it. containerd
// takes that entry too, and only if its configuration has the architecture (containerd
// core/images/image.go: Manifest). It accepts other names of an architecture
// (containerd/platforms: Normalize). goldenarch counts what both run: the configuration of
// the first entry without a platform.

// podWords puts the runtime into texts that name CDI.
var podWords = strings.NewReplacer(
	"that CDI selects", "that CRI-O selects", "and CDI reads", "and CRI-O reads", "which CDI never", "which CRI-O never",
	"and CDI accepts", "and CRI-O accepts", "and CDI imports", "and CRI-O pulls", "which CDI does not import", "which CRI-O does not pull",
)

// podError is an error about an image in the words of those who run pods.
type podError struct{ error }

// Error implements error.
func (e podError) Error() string { return podWords.Replace(e.error.Error()) }

// Unwrap returns the error.
func (e podError) Unwrap() error { return e.error }

// forPods returns findings about images in the words of those who run pods.
func forPods(found finding.List) finding.List {
	for i, f := range found {
		if f.ID != finding.EntryIgnored {
			continue
		}
		text := strings.Replace(podWords.Replace(f.Text), "CDI does not use", "CRI-O does not use", 1)
		found[i].Text = text + ". containerd accepts other names of an architecture, so the image may run on some nodes only"
	}
	return found
}
