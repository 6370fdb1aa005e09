package sequence

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// Step is a change that somebody brings about: the CR, the nodes or the release changed.
type Step struct {
	// Input is what HCO, SSP and CDI work on. Existing is not read: the state has it.
	Input forecast.Input
	// Digest returns what a cron's poller finds for what it looks at ([Polled]), given what it
	// found before; "" for nothing yet.
	Digest func(source, found string) string
	// Snapshots says that the storage class keeps boot sources as snapshots.
	Snapshots bool
	// Deleted are crons that somebody else deleted. CDI cleans up after them first. A plan has
	// none: only the tests of test/answers set it.
	Deleted []Key
}

// ErrStopped is why nothing changes: an operator refuses the CR or fails.
var ErrStopped = errors.New("the operators stop")

// ErrNotSettled is why nobody knows the state: SSP and CDI change the same objects again and
// again. It never happens for the sequences that the tests hold against the operators.
var ErrNotSettled = errors.New("SSP and CDI do not come to an end")

// passes is how often SSP and CDI work in turn at most, and how often CDI reconciles all
// objects in a turn.
const passes = 30

// After returns the state when SSP and CDI have nothing more to do. Every import succeeds.
// The error wraps [ErrStopped] if the operators change nothing.
func (s State) After(step Step) (State, error) {
	out := s.copied()
	if len(step.Deleted) > 0 {
		out.passOfCDI(step, step.Deleted)
	}
	var before State
	for range passes {
		before = out.copied()
		gone, err := out.passOfSSP(step)
		if err != nil {
			return s, err
		}
		out.passOfCDI(step, gone)
		if len(gone) == 0 && out.same(before) {
			return out, nil
		}
	}
	return s, fmt.Errorf("%w: after %d passes they still change %s", ErrNotSettled, passes, finding.FirstOf(out.differing(before)))
}

// differing names the objects that differ from those of another state.
func (s State) differing(other State) []string {
	var out []string
	keys := slices.Concat(s.keys(""), other.keys(""))
	slices.SortFunc(keys, compareKeys)
	for _, key := range slices.Compact(keys) {
		one, another := s.objects[key], other.objects[key]
		if one == nil || another == nil || !one.same(another) {
			out = append(out, fmt.Sprintf("%s %q in namespace %q", key.Kind, key.Name, key.Namespace))
		}
	}
	return out
}

// existing returns the objects that SSP reads.
func (s State) existing() []forecast.Existing {
	var out []forecast.Existing
	for _, key := range s.keys("") {
		o := s.objects[key]
		if o.Kind == DataSource || o.Kind == Claim {
			out = append(out, forecast.Existing{
				Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, Labels: o.Labels, Ready: o.Ready, Source: o.Source, Owned: o.BySSP,
			})
		}
	}
	return out
}

// passOfSSP lets SSP work once. It returns the crons that SSP deletes (ssp reconcile.go:
// Reconcile, which handles DataSources before crons).
func (s *State) passOfSSP(step Step) ([]Key, error) {
	in := step.Input
	in.Existing = s.existing()
	pass := forecast.SSPPass(in)
	if pass.Stopped != "" {
		return nil, fmt.Errorf("%w: %s", ErrStopped, pass.Stopped)
	}
	wanted := map[Key]bool{}
	for _, d := range pass.DataSources {
		key := Key{DataSource, d.Namespace(), d.Name()}
		wanted[key] = true
		read, _ := Read(d)
		o, there := s.objects[key]
		if !there {
			o = s.add(Object{Key: key})
		}
		o.Labels, o.Source, o.BySSP = read.Labels, read.Source, true
	}
	for _, key := range s.keys(DataSource) {
		if o := s.objects[key]; o.BySSP && key.Namespace == pass.Namespace && !wanted[key] {
			delete(s.objects, key)
		}
	}
	return s.reconcileCrons(pass, wanted), nil
}

// reconcileCrons makes, updates and deletes crons. The spec of a cron is immutable: if it
// differs, SSP deletes the cron, and makes it in its next pass (ssp
// internal/common/resource.go: createOrUpdateWithImmutableSpec).
func (s *State) reconcileCrons(pass forecast.Pass, wanted map[Key]bool) []Key {
	var gone []Key
	for _, c := range pass.Crons {
		key := Key{Cron, c.Namespace, c.Name}
		wanted[key] = true
		o, there := s.objects[key]
		switch {
		case !there:
			spec := c.Spec
			s.add(Object{Key: key, Labels: c.Labels, BySSP: true, Spec: &spec})
		case o.Deleting:
		case !sameSpec(*o.Spec, c.Spec):
			delete(s.objects, key)
			gone = append(gone, key)
		default:
			o.BySSP = true
			maps.Copy(o.Labels, c.Labels)
		}
	}
	for _, key := range s.keys(Cron) {
		if o := s.objects[key]; o.BySSP && !wanted[key] && !o.Deleting {
			delete(s.objects, key)
			gone = append(gone, key)
		}
	}
	return gone
}
