package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/operators/oracle"
)

// TestShrink: of a sequence only what a difference needs is left.
func TestShrink(t *testing.T) {
	t.Parallel()
	all := generated(3, 20)
	tried := 0
	for name, steps := range all {
		c := newSequence(name, steps)
		// The prediction would be wrong about s390x nodes once beta has an image.
		differs := func(c *oracle.Case) bool {
			return slices.ContainsFunc(c.Input.Steps, func(s oracle.Step) bool {
				return slices.ContainsFunc(s.Nodes, func(n oracle.Node) bool { return n.Status.NodeInfo.Architecture == "s390x" }) &&
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
