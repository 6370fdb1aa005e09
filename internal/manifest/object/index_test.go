package object_test

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

func TestIndex(t *testing.T) {
	t.Parallel()
	item := func(kind, name, file, index string) *yaml.RNode {
		return yaml.MustParse("kind: " + kind + "\nmetadata:\n  name: " + name + "\n  annotations:\n    internal.config.kubernetes.io/path: " + file +
			"\n    internal.config.kubernetes.io/index: '" + index + "'\n")
	}
	items := []*yaml.RNode{item("A", "a", "f", "0"), item("B", "b", "f", "0"), item("A", "a", "f", "1"), item("List", "l", "g", "0")}
	for _, tc := range []struct {
		reason string
		at     finding.Object
		want   *yaml.RNode
	}{
		{"the first of a place with two items", finding.Object{Kind: "A", Name: "a", File: "f"}, items[0]},
		{"the other one", finding.Object{Kind: "B", Name: "b", File: "f"}, items[1]},
		{"none of both: the first", finding.Object{Kind: "C", Name: "b", File: "f"}, items[0]},
		{"another index of the file", finding.Object{Kind: "A", Name: "a", File: "f", Index: 1}, items[2]},
		{"an element of a List", finding.Object{Kind: "A", Name: "a", File: "g"}, items[3]},
		{"another file", finding.Object{Kind: "A", Name: "a", File: "h"}, nil},
	} {
		if got := object.NewIndex(items).Item(tc.at); got != tc.want {
			t.Errorf("%s: want %v, got %v", tc.reason, tc.want, got)
		}
	}
}
