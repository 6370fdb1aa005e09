package access

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
)

func TestRulesOfTheConfiguration(t *testing.T) {
	t.Parallel()
	stated := []v1alpha1.RegistryMirrors{
		{Source: "quay.io", Mirrors: []string{"m.io", "n.io"}, NeverContactSource: true},
		{Source: "a.io", Mirrors: []string{"b.io"}},
	}
	want := []mirror.Rule{{Source: "quay.io", Mirrors: []string{"m.io", "n.io"}, NeverContactSource: true}, {Source: "a.io", Mirrors: []string{"b.io"}}}
	if diff := cmp.Diff(want, rulesOf(stated)); diff != "" {
		t.Errorf("they are for tags and digests (-want +got):\n%s", diff)
	}
}
