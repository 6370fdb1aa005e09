package lock_test

import (
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// TestShared: a lock is decoded once for each text and each set of images, and says the same to each
// cluster as if it were read alone.
func TestShared(t *testing.T) {
	t.Parallel()
	entry := func(name string) string {
		return "- reference: quay.io/acme/" + name + ":1\n  digest: sha256:" + strings.Repeat("0", 64) +
			"\n  mediaType: m/x\n  platforms:\n  - {os: linux, architecture: amd64}\n"
	}
	read := func(lines bool, names ...string) *yaml.Node {
		text := "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: l}\nimages:\n"
		for _, name := range names {
			text += entry(name)
		}
		node := yaml.MustParse(text).YNode()
		if !lines {
			yamlnode.Walk(node, func(n *yaml.Node) { n.Line = 0 })
		}
		return node
	}
	references := func(names ...string) []imageref.Reference {
		out := make([]imageref.Reference, len(names))
		for i, name := range names {
			var err error
			if out[i], err = imageref.Parse("quay.io/acme/" + name + ":1"); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	shared := &lock.Shared{}
	for _, tc := range []struct {
		reason  string
		node    *yaml.Node
		of      []imageref.Reference
		decoded int
	}{
		{"the first", read(false, "a", "b"), references("a"), 1},
		{"the same again", read(false, "a", "b"), references("a"), 1},
		{"for another image", read(false, "a", "b"), references("b"), 2},
		{"another text", read(false, "a", "c"), references("a"), 3},
		{"with lines, of which others may follow", read(true, "a", "b"), references("a"), 3},
	} {
		part, decoded, err := shared.Read(tc.node, "goldenarch.dev/v1alpha1", "ArchitectureLock", tc.of)
		alonePart, alone, aloneErr := (*lock.Shared)(nil).Read(tc.node, "goldenarch.dev/v1alpha1", "ArchitectureLock", tc.of)
		if !reflect.DeepEqual(decoded, alone) || !reflect.DeepEqual(part, alonePart) || err != nil || aloneErr != nil {
			t.Errorf("%s: want %v (%v), got %v (%v)", tc.reason, alone, aloneErr, decoded, err)
		}
		if shared.Len() != tc.decoded {
			t.Errorf("%s: want %d locks decoded, got %d", tc.reason, tc.decoded, shared.Len())
		}
	}
}
