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

// compare runs new cases, and shrinks those on which the prediction differs.
func (o options) compare(running operators, header answers.Header, r release) error {
	s := summary{release: r.name, seed: o.seed, kind: "cases"}
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
		s.compared++
		if len(differences) == 0 {
			continue
		}
		first := differences
		if err := s.add(&c, fields(first), func(c *answers.Case) (string, error) {
			found, err := running.differences(header, c)
			if err != nil || !isPartOf(found, first) {
				return "", err
			}
			return fmt.Sprint(found), nil
		}); err != nil {
			return err
		}
	}
	return s.end()
}

// fields names what differs.
func fields(differences []answers.Difference) string {
	var out []string
	for _, d := range differences {
		out = append(out, d.Operator+" "+d.Field)
	}
	return strings.Join(out, ", ")
}

// summary is what a run of new cases, or of new sequences, found.
type summary struct {
	release, kind     string
	seed              uint64
	compared, skipped int
	differ            []string
}

// add notes a case that differs, and shrinks and prints it. Of many, one shows most of what the others do.
func (s *summary) add(c *answers.Case, what string, differs func(*answers.Case) (string, error)) error {
	const shrunk = 3
	s.differ = append(s.differ, fmt.Sprintf("%s: %s", c.Name, what))
	if len(s.differ) > shrunk {
		return nil
	}
	if err := shrink(c, func(c *answers.Case) bool {
		diff, err := differs(c)
		return err == nil && diff != ""
	}); err != nil {
		return err
	}
	diff, err := differs(c)
	if err != nil {
		return err
	}
	line, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("cannot write the case: %w", err)
	}
	fmt.Fprintf(os.Stderr, "%s\n%s of seed %d; as a line of testdata/%s/%s.jsonl:\n%s\n", diff, c.Name, s.seed, s.release, s.kind, line)
	return nil
}

// end prints the summary.
func (s *summary) end() error {
	fmt.Fprintf(os.Stderr, "%s: %d %s of seed %d, %d skipped, %d differ\n", s.release, s.compared, s.kind, s.seed, s.skipped, len(s.differ))
	if len(s.differ) == 0 {
		return nil
	}
	return fmt.Errorf("%w in %d %s:\n%s", errDiffer, len(s.differ), s.kind, strings.Join(s.differ, "\n"))
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

// compareSequences runs new sequences, two for every ten cases, and shrinks those on which the
// prediction differs.
func (o options) compareSequences(running operators, header answers.Header, r release) error {
	s := summary{release: r.name, seed: o.seed, kind: "sequences"}
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
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		diff, err := differs(&c)
		if err != nil {
			s.skipped++
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			continue
		}
		s.compared++
		if diff == "" {
			continue
		}
		what, _, _ := strings.Cut(diff, " differs")
		if err := s.add(&c, what, differs); err != nil {
			return err
		}
	}
	return s.end()
}

// shrink removes from the input of a case what the difference does not need: steps, nodes, and
// fields and entries of the CR.
func shrink(c *answers.Case, differs func(*answers.Case) bool) error {
	var err error
	c.Input, err = shrunk(c.Input, func(in answers.Input) bool {
		return isComplete(in) && differs(&answers.Case{Name: c.Name, Tags: c.Tags, Input: in})
	})
	return err
}

// shrunk removes from an input what a difference does not need, until no single removal keeps the
// difference.
func shrunk[T any](input T, differs func(T) bool) (T, error) {
	for {
		next, err := smaller(input, differs)
		if err != nil || next == nil {
			return input, err
		}
		input = *next
	}
}

// smaller returns the input with one thing removed that the difference does not need; nil if
// there is none.
func smaller[T any](input T, differs func(T) bool) (*T, error) {
	data, err := json.Marshal(input)
	if err != nil {
		return nil, fmt.Errorf("cannot write the input: %w", err)
	}
	size := len(data)
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return nil, fmt.Errorf("cannot read the input: %w", err)
	}
	for _, candidate := range removals(value) {
		if data, err = json.Marshal(candidate); err != nil {
			return nil, fmt.Errorf("cannot write the input: %w", err)
		}
		var next T
		if json.Unmarshal(data, &next) != nil {
			continue
		}
		// What a field has when it is missing may be written again.
		if again, err := json.Marshal(next); err == nil && len(again) < size && differs(next) {
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
