package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/oracle"
)

var errDiffer = errors.New("goldenarch predicts something else than the operators do")

// compare runs new cases, and shrinks the first one on which the prediction differs.
func (o options) compare(running operators, header oracle.Header, r release) error {
	for n := range o.fuzz {
		c, err := generate(r, o.seed, n)
		if err != nil {
			return err
		}
		if err := addDeprecated(&c, o.seed, n); err != nil {
			return err
		}
		differences, err := running.differences(header, &c)
		if err != nil {
			return err
		}
		if len(differences) == 0 {
			continue
		}
		if err := running.shrink(header, &c, differences[0].Field); err != nil {
			return err
		}
		if differences, err = running.differences(header, &c); err != nil {
			return err
		}
		for _, d := range differences {
			fmt.Fprintln(os.Stderr, d)
		}
		line, err := json.Marshal(c)
		if err != nil {
			return fmt.Errorf("cannot write the case: %w", err)
		}
		return fmt.Errorf("%w: case %d of seed %d; as a line of testdata/%s/cases.jsonl:\n%s", errDiffer, n, o.seed, r.name, line)
	}
	fmt.Fprintf(os.Stderr, "%s: %d cases of seed %d agree\n", r.name, o.fuzz, o.seed)
	return nil
}

// deprecatedGates are gates of which HCO warns in some release, and one that it does not know.
var deprecatedGates = []string{
	"disableMDevConfiguration", "persistentReservation", "nonRoot", "withHostPassthroughCPU", "deployTektonTaskResources", "enableManagedTenantQuota",
	"enableApplicationAwareQuota", "deployVmConsoleProxy", "autoResourceLimits", "unknownGate",
}

// addDeprecated adds deprecated gates and the tuning policy highBurst to some CRs. The stored
// cases do not have them.
func addDeprecated(c *oracle.Case, seed uint64, n int) error {
	g := rand.New(rand.NewPCG(seed, ^uint64(n))) //nolint:gosec // the number of a case is not negative
	step := &c.Input.Steps[0]
	var cr struct {
		APIVersion string         `json:"apiVersion"`
		Kind       string         `json:"kind"`
		Metadata   map[string]any `json:"metadata"`
		Spec       map[string]any `json:"spec"`
	}
	if err := json.Unmarshal(step.HyperConverged, &cr); err != nil {
		return fmt.Errorf("cannot read the CR: %w", err)
	}
	if cr.Spec == nil {
		cr.Spec = map[string]any{}
	}
	isV1 := strings.HasSuffix(cr.APIVersion, "/v1")
	listed, _ := cr.Spec["featureGates"].([]any)
	mapped, _ := cr.Spec["featureGates"].(map[string]any)
	mapped = maps.Clone(mapped)
	for _, i := range g.Perm(len(deprecatedGates))[:g.IntN(3)] {
		if mapped == nil {
			mapped = map[string]any{}
		}
		mapped[deprecatedGates[i]] = g.IntN(2) == 0
		listed = append(listed, map[string]any{"name": deprecatedGates[i], "state": []string{"Enabled", "Disabled"}[g.IntN(2)]})
	}
	switch {
	case isV1 && listed != nil:
		cr.Spec["featureGates"] = listed
	case !isV1 && mapped != nil:
		cr.Spec["featureGates"] = mapped
	}
	if g.IntN(4) == 0 {
		if isV1 {
			cr.Spec["virtualization"] = map[string]any{"tuningPolicy": "highBurst"}
		} else {
			cr.Spec["tuningPolicy"] = "highBurst"
		}
	}
	var err error
	if step.HyperConverged, err = json.Marshal(cr); err != nil {
		return fmt.Errorf("cannot write the CR: %w", err)
	}
	return nil
}

func (o operators) differences(header oracle.Header, c *oracle.Case) ([]oracle.Difference, error) {
	if err := o.answer(c); err != nil {
		return nil, err
	}
	return oracle.Compare(header, *c)
}

// shrink removes from the input what the difference in a field does not need: nodes, and
// fields and entries of the CR, until no single removal keeps the difference.
func (o operators) shrink(header oracle.Header, c *oracle.Case, field string) error {
	for {
		smaller, err := o.smaller(header, *c, field)
		if err != nil || smaller == nil {
			return err
		}
		*c = *smaller
	}
}

// smaller returns the case with one thing removed that the difference does not need; nil if
// there is none.
func (o operators) smaller(header oracle.Header, c oracle.Case, field string) (*oracle.Case, error) {
	step := c.Input.Steps[0]
	var candidates []oracle.Step
	for i := range step.Nodes {
		next := step
		next.Nodes = append(append([]oracle.Node{}, step.Nodes[:i]...), step.Nodes[i+1:]...)
		candidates = append(candidates, next)
	}
	if step.Schedule != "" {
		next := step
		next.Schedule = ""
		candidates = append(candidates, next)
	}
	var cr map[string]any
	if err := json.Unmarshal(step.HyperConverged, &cr); err != nil {
		return nil, fmt.Errorf("cannot read the CR: %w", err)
	}
	spec, _ := cr["spec"].(map[string]any)
	for _, one := range removals(spec) {
		data, err := json.Marshal(map[string]any{"apiVersion": cr["apiVersion"], "kind": cr["kind"], "metadata": cr["metadata"], "spec": one})
		if err != nil {
			return nil, fmt.Errorf("cannot write the CR: %w", err)
		}
		next := step
		next.HyperConverged = data
		candidates = append(candidates, next)
	}
	for _, candidate := range candidates {
		next := oracle.Case{Name: c.Name, Input: oracle.Input{Steps: []oracle.Step{candidate}}}
		differences, err := o.differences(header, &next)
		if err != nil {
			return nil, err
		}
		for _, d := range differences {
			if d.Field == field {
				return &next, nil
			}
		}
	}
	return nil, nil
}

// removals returns each value that a value becomes when one part of it is removed, large
// parts first.
func removals(value any) []any {
	var out []any
	switch value := value.(type) {
	case map[string]any:
		for key := range value {
			next := maps.Clone(value)
			delete(next, key)
			out = append(out, next)
		}
		for key, child := range value {
			for _, smaller := range removals(child) {
				next := maps.Clone(value)
				next[key] = smaller
				out = append(out, next)
			}
		}
	case []any:
		for i := range value {
			out = append(out, append(append([]any{}, value[:i]...), value[i+1:]...))
		}
		for i, child := range value {
			for _, smaller := range removals(child) {
				next := append([]any{}, value...)
				next[i] = smaller
				out = append(out, next)
			}
		}
	}
	return out
}
