package registry_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/images/registrytest"
)

// TestReplayOfMirrors: the layout has an image by its own name, says which mirror
// it came from, and no mirror policy is needed to replay it.
func TestReplayOfMirrors(t *testing.T) {
	t.Parallel()
	image, chart := registrytest.Index("linux/amd64"), registrytest.HelmChart()
	gone := registrytest.On(registrytest.Manifest, registrytest.Reply(http.StatusNotFound, nil))
	for name, tc := range map[string]struct {
		reason         string
		mirror, source registrytest.Artifact
		mirrorFails    bool
		sourceFails    bool
		pinned         bool
		missing        bool
	}{
		"Mirror":       {reason: "The mirror answers.", mirror: image, source: registrytest.Index("linux/s390x")},
		"MirrorPinned": {reason: "For a digest too.", mirror: image, source: image, pinned: true},
		"Source":       {reason: "The mirror does not have it.", mirrorFails: true, source: registrytest.Index("linux/s390x")},
		"Sparse":       {reason: "The mirror has a part of it.", mirror: registrytest.BareIndex("linux/amd64").Sparse(), source: registrytest.Index("linux/s390x")},
		"NoImage":      {reason: "The mirror has something else.", mirror: chart, source: registrytest.Image("linux/s390x")},
		"BothNoImage":  {reason: "Both do.", mirror: registrytest.Schema1("amd64"), source: chart},
		"ThenGone":     {reason: "And the source has nothing.", mirror: chart, sourceFails: true, missing: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrap := func(fails bool) []registrytest.Wrapper {
				if fails {
					return []registrytest.Wrapper{gone}
				}
				return nil
			}
			near, source := with(t, wrap(tc.mirrorFails)...), with(t, wrap(tc.sourceFails)...)
			near.Push("m/org/app:1", tc.mirror)
			source.Push("org/app:1", tc.source)
			ask := "org/app:1"
			if tc.pinned {
				ask += "@" + image.Digest()
			}
			ref, dir := reference(t, source, ask), t.TempDir()
			live := recorded(t, dir, mirrored(t, scopeOf(source, false, near.Host()+"/m")), ref)[0]
			isLayout(t, dir)
			near.Close()
			source.Close()
			again := resolveAll(t, replay(t, dir, ""), []imageref.Reference{ref})[0]
			if live.Err != nil && !tc.missing {
				// Which places were asked before is not recorded.
				e, ok := errors.AsType[*registry.Error](again.Err)
				if !ok || !errors.Is(live.Err, e.Kind) || !strings.Contains(live.Err.Error(), e.Err.Error()) {
					t.Errorf("%s\nwant an error as %v, got %v", tc.reason, live.Err, again.Err)
				}
				return
			}
			compare(t, tc.reason, dir, live, again, tc.missing)
			if want := !tc.missing && live.Image.Mirror != ""; want != (again.Image.Mirror != "") {
				t.Errorf("%s\nthe mirror: %q, then %q", tc.reason, live.Image.Mirror, again.Image.Mirror)
			}
		})
	}
}
