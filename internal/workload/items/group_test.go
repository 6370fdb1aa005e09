package items

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload"
)

// TestUnresolvedImagesAreGrouped: a finding for each image, and one for all images of a host
// with the same cause. A check fails where a pod has nothing that is proven.
func TestUnresolvedImagesAreGrouped(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason       string
		pods, images int
		cause        string
		proven       bool // each pod also has an image of which all is known
		unresolved   v1alpha1.UnresolvedImage
		want         []string // parts of the findings
		fails        bool
	}{
		{reason: "one image in many pods", pods: 5000, images: 1, want: []string{"in 5000 objects: Pod/p0, Pod/p1, Pod/p2 and 4997 more"}, fails: true},
		{reason: "one image alone with its cause", pods: 1, images: 1, cause: "it is down", want: []string{"0:1: gone"}, fails: true},
		{
			reason: "few images with one cause", pods: 3, images: 3, cause: "it is down", fails: true,
			want: []string{"3 images of r.io in 3 objects are unresolved, because it is down: r.io/0:1, r.io/1:1, r.io/2:1. Of the first one: r.io/0:1: gone"},
		},
		{
			reason: "many images with one cause", pods: 5000, images: 5000, cause: "it is down", fails: true,
			want: []string{"5000 images of r.io in 5000 objects are unresolved, because it is down: r.io/0:1, r.io/1:1, r.io/2:1 and 4997 more. " +
				"Of the first one: r.io/0:1: gone"},
		},
		{reason: "many images without a common cause", pods: 4, images: 4, want: []string{"0:1: gone", "1:1: gone", "2:1: gone", "3:1: gone"}, fails: true},
		{reason: "a pod of which something is proven", pods: 2, images: 1, proven: true, want: []string{"in 2 objects"}},
		{reason: "a person accepts it", pods: 2, images: 1, unresolved: v1alpha1.UnresolvedSkip, want: []string{"in 2 objects"}},
		{reason: "a person says what to assume", pods: 2, images: 1, unresolved: v1alpha1.UnresolvedUse, want: []string{"in 2 objects"}},
	} {
		answers := map[string]workload.Answer{"known": {Architectures: arch.Named("amd64")}}
		var list []*yaml.RNode
		for i := range tc.pods {
			image := fmt.Sprintf("r.io/%d:1", i%tc.images)
			answers[image] = workload.Answer{Err: errors.New(image + ": gone"), Host: "r.io", Cause: tc.cause}
			text := fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: p%d}\nspec:\n  containers:\n  - {name: c, image: %s}\n", i, image)
			if tc.proven {
				text += "  - {name: d, image: known}\n"
			}
			list = append(list, yaml.MustParse(text))
		}
		run := workload.Run{Spec: v1alpha1.WorkloadArchitecturesSpec{Mode: v1alpha1.WorkloadsCheck, Unresolved: tc.unresolved, Use: []string{"amd64"}}}
		found, _ := Find(list, nil, run)
		all := found.Treat(answers, nil).Found
		var got finding.List
		for _, f := range all {
			if f.ID == finding.PodUnresolved {
				got = append(got, f)
			}
		}
		if len(got) != len(tc.want) {
			t.Errorf("%s: want %d findings, got %d", tc.reason, len(tc.want), len(got))
			continue
		}
		for i, f := range got {
			if !strings.Contains(f.Text, tc.want[i]) {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.want[i], f.Text)
			}
		}
		if got.Failed() || got.Unchanged().Failed() != tc.fails {
			t.Errorf("%s: want that a check fails: %v; got\n%s", tc.reason, tc.fails, got.Unchanged())
		}
	}
}
