package input

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// TestInvalidNode: the error about a source of node facts has the line of the object.
func TestInvalidNode(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		line         int
	}{
		{"a Node", "# a dump\napiVersion: v1\nkind: Node\nmetadata: {name: [a]}\nstatus: {nodeInfo: {architecture: amd64}}\n", 2},
		{"in a List", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata: {name: [a]}\n", 4},
	} {
		_, found := Read([]*yaml.RNode{yaml.MustParse(tc.text)}, Nodes{}, "", nil)
		if len(found) != 1 || found[0].ID != finding.NodeInvalid || found[0].Line != tc.line {
			t.Errorf("%s: want the line %d, got %s", tc.reason, tc.line, found)
		}
	}
}
