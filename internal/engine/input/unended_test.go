package input

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// TestListWithoutEnd: a List that holds itself, or is large beyond measure, is an
// error and no endless run.
func TestListWithoutEnd(t *testing.T) {
	t.Parallel()
	bomb := "{apiVersion: v1, kind: List, items: [&a [x,x,x,x,x,x,x,x,x,x], &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a], " +
		"&c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b], &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c], [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]]}"
	for _, text := range []string{"&a {apiVersion: v1, kind: List, items: [*a]}", bomb} {
		_, found := Read([]*yaml.RNode{yaml.MustParse(text)}, Nodes{}, "", nil)
		if len(found) != 1 || found[0].ID != finding.Unreadable || found[0].Text != yamlnode.ErrAnchors.Error() {
			t.Errorf("want it told, got %s", found)
		}
	}
}
