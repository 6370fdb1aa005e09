package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/answers"
)

// TestShrink: of a sequence only what a difference needs is left.
func TestShrink(t *testing.T) {
	t.Parallel()
	all := generated(3, 20)
	tried := 0
	for name, steps := range all {
		c := newSequence(name, steps)
		// The prediction would be wrong about s390x nodes once beta has an image.
		differs := func(c *answers.Case) bool {
			return slices.ContainsFunc(c.Input.Steps, func(s answers.Step) bool {
				return slices.ContainsFunc(s.Nodes, func(n answers.Node) bool { return n.Status.NodeInfo.Architecture == "s390x" }) &&
					strings.Contains(string(s.HyperConverged), "beta:1")
			})
		}
		if !differs(&c) {
			continue
		}
		tried++
		if err := shrink(&c, differs); err != nil {
			t.Fatal(err)
		}
		if len(c.Input.Steps) != 1 || len(c.Input.Steps[0].Nodes) != 1 || !differs(&c) {
			t.Errorf("%s: want a step and a node that differ, got %+v", name, c.Input)
		}
		var cr struct {
			Spec map[string]json.RawMessage `json:"spec"`
		}
		if err := json.Unmarshal(c.Input.Steps[0].HyperConverged, &cr); err != nil {
			t.Fatal(err)
		}
		if len(cr.Spec) != 1 || strings.Contains(string(cr.Spec["dataImportCronTemplates"]), "alpha") {
			t.Errorf("%s: want the template of beta alone, got %s", name, c.Input.Steps[0].HyperConverged)
		}
	}
	if tried == 0 {
		t.Error("no sequence was tried")
	}
}

// TestIsPartOf: a case gets smaller only as long as it shows the same fault.
func TestIsPartOf(t *testing.T) {
	t.Parallel()
	crons, after := answers.Difference{Operator: "SSP", Field: "dataImportCrons"}, answers.Difference{Operator: "CDI", Field: "dataSourcesAfterCDI"}
	refused := answers.Difference{Operator: "HCO", Field: "error"}
	first := []answers.Difference{crons, after}
	for _, tc := range []struct {
		reason string
		found  []answers.Difference
		want   bool
	}{
		{"the same", first, true},
		{"what follows from the fault is gone", first[:1], true},
		{"the fault itself is gone", first[1:], false},
		{"nothing differs", nil, false},
		{"an operator refuses the smaller input: that is another fault", []answers.Difference{refused, crons, after}, false},
	} {
		if got := isPartOf(tc.found, first); got != tc.want {
			t.Errorf("%s: want %t, got %t", tc.reason, tc.want, got)
		}
	}
}

// TestShrinkKeepsNodesValid: a node without a name is refused, whatever the prediction is.
func TestShrinkKeepsNodesValid(t *testing.T) {
	t.Parallel()
	for name, steps := range generated(3, 5) {
		c := newSequence(name, steps)
		if err := shrink(&c, func(c *answers.Case) bool { return len(c.Input.Steps[0].Nodes) > 0 }); err != nil {
			t.Fatal(err)
		}
		for _, node := range c.Input.Steps[0].Nodes {
			if node.Metadata.Name == "" || node.Kind != "Node" || node.APIVersion != "v1" {
				t.Errorf("%s: the node is not valid: %+v", name, node)
			}
		}
	}
}
