package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/test/answers"
)

var errDiffer = errors.New("goldenarch predicts something else than the operators do")

// compare runs new cases, and shrinks the first one on which the prediction differs.
func (o options) compare(running operators, header answers.Header, r release) error {
	for n := range o.fuzz {
		c, err := generate(r, o.seed, n)
		if err != nil {
			return err
		}
		if err := addDeprecated(&c, o.seed, n); err != nil {
			return err
		}
		if err := addUnusual(&c, o.seed, n); err != nil {
			return err
		}
		differences, err := running.differences(header, &c)
		if err != nil {
			return err
		}
		if len(differences) == 0 {
			continue
		}
		first := differences
		if err := shrink(&c, func(c *answers.Case) bool {
			found, err := running.differences(header, c)
			return err == nil && isPartOf(found, first)
		}); err != nil {
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

// isPartOf reports whether a smaller case differs as the first one does: in its first field, and
// in no other field than the first case. Without that, a removal finds another fault, and what
// is left shows that one.
func isPartOf(found, first []answers.Difference) bool {
	isOf := func(one answers.Difference, of []answers.Difference) bool {
		return slices.ContainsFunc(of, func(d answers.Difference) bool { return d.Operator == one.Operator && d.Field == one.Field })
	}
	return isOf(first[0], found) && !slices.ContainsFunc(found, func(d answers.Difference) bool { return !isOf(d, first) })
}

// deprecatedGates are gates of which HCO warns in some release, and one that it does not know.
var deprecatedGates = []string{
	"disableMDevConfiguration", "persistentReservation", "nonRoot", "withHostPassthroughCPU", "deployTektonTaskResources", "enableManagedTenantQuota",
	"enableApplicationAwareQuota", "deployVmConsoleProxy", "autoResourceLimits", "unknownGate",
}

// addDeprecated adds deprecated gates and the tuning policy highBurst to some CRs. The stored
// cases do not have them.
func addDeprecated(c *answers.Case, seed uint64, n int) error {
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

func (o operators) differences(header answers.Header, c *answers.Case) ([]answers.Difference, error) {
	if err := o.answer(c); err != nil {
		return nil, err
	}
	return answers.Compare(header, *c)
}

// compareSequences runs new sequences, one for every ten cases, and shrinks the first one on
// which the prediction differs.
func (o options) compareSequences(running operators, header answers.Header, r release) error {
	differs := func(c *answers.Case) (string, error) {
		c.Steps = nil
		if err := sequence(func(string) (operators, error) { return running, nil }, c); err != nil {
			return "", err
		}
		return answers.CompareSequence(header, *c)
	}
	all := map[string]answers.Case{}
	for name, steps := range generated(o.seed, o.fuzz/10) {
		all[name] = newSequence(name, steps)
	}
	maps.Copy(all, unusualSequences(o.seed, o.fuzz/10))
	skipped := 0
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		diff, err := differs(&c)
		if err != nil {
			skipped++
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			continue
		}
		if diff == "" {
			continue
		}
		if err := shrink(&c, func(c *answers.Case) bool {
			diff, err := differs(c)
			return err == nil && diff != ""
		}); err != nil {
			return err
		}
		if diff, err = differs(&c); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintln(os.Stderr, diff)
		line, err := json.Marshal(c)
		if err != nil {
			return fmt.Errorf("cannot write the sequence: %w", err)
		}
		return fmt.Errorf("%w: %s of seed %d; as a line of testdata/%s/sequences.jsonl:\n%s", errDiffer, name, o.seed, r.name, line)
	}
	fmt.Fprintf(os.Stderr, "%s: %d sequences of seed %d agree, %d skipped\n", r.name, len(all), o.seed, skipped)
	return nil
}

// shrink removes from the input of a case what the difference does not need: steps, nodes, and
// fields and entries of the CR, until no single removal keeps the difference.
func shrink(c *answers.Case, differs func(*answers.Case) bool) error {
	for {
		smaller, err := smaller(*c, differs)
		if err != nil || smaller == nil {
			return err
		}
		*c = *smaller
	}
}

// smaller returns the case with one thing removed that the difference does not need; nil if
// there is none.
func smaller(c answers.Case, differs func(*answers.Case) bool) (*answers.Case, error) {
	data, err := json.Marshal(c.Input)
	if err != nil {
		return nil, fmt.Errorf("cannot write the case: %w", err)
	}
	size := len(data)
	var input any
	if err := json.Unmarshal(data, &input); err != nil {
		return nil, fmt.Errorf("cannot read the case: %w", err)
	}
	for _, candidate := range removals(input) {
		if data, err = json.Marshal(candidate); err != nil {
			return nil, fmt.Errorf("cannot write the case: %w", err)
		}
		next := answers.Case{Name: c.Name, Tags: c.Tags}
		if json.Unmarshal(data, &next.Input) != nil || !isComplete(next.Input) {
			continue
		}
		// What a field has when it is missing may be written again.
		if again, err := json.Marshal(next.Input); err == nil && len(again) < size && differs(&next) {
			return &next, nil
		}
	}
	return nil, nil
}

// isComplete reports whether there is a step, and whether an API server would take each node
// and each CR.
func isComplete(input answers.Input) bool {
	for i, step := range input.Steps {
		if slices.ContainsFunc(step.Nodes, func(n answers.Node) bool { return n.Metadata.Name == "" || n.Kind == "" || n.APIVersion == "" }) {
			return false
		}
		if step.HyperConverged == nil && i > 0 {
			continue
		}
		var cr struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			Metadata   struct {
				Name      string `json:"name"`
				Namespace string `json:"namespace"`
			} `json:"metadata"`
		}
		if json.Unmarshal(step.HyperConverged, &cr) != nil || cr.APIVersion == "" || cr.Kind == "" || cr.Metadata.Name == "" || cr.Metadata.Namespace == "" {
			return false
		}
	}
	return len(input.Steps) > 0
}

// removals returns each value that a value becomes when one part of it is removed, large
// parts first.
func removals(value any) []any {
	var out []any
	switch value := value.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(value))
		for _, key := range keys {
			next := maps.Clone(value)
			delete(next, key)
			out = append(out, next)
		}
		for _, key := range keys {
			for _, smaller := range removals(value[key]) {
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
