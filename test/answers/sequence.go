package answers

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/sequence"
	"github.com/goldenarch/goldenarch/internal/transition"
)

var errNoObject = errors.New("the prediction has no such object")

// CompareSequence holds the predicted objects after each step of a sequence against those that
// the operators left: the same ones are created, kept, changed and deleted, with the same labels,
// owners and sources, and a plan says so. It returns what differs in the first step that differs;
// "" if nothing does. A case that cannot be read is an error.
func CompareSequence(header Header, c Case) (string, error) {
	var state sequence.State
	var step Step
	gone := map[string]bool{}
	for i, next := range c.Input.Steps {
		want := c.Steps[i]
		step = step.With(next)
		release, err := header.releaseOf(step)
		if err != nil {
			return "", err
		}
		in, err := predictionOf(release, step, want.Stored)
		if err != nil {
			return "", fmt.Errorf("step %d: %w", i+1, err)
		}
		deleted := keys(step.Delete)
		if len(deleted) > 0 {
			state = without(state, deleted)
		}
		deleted = slices.DeleteFunc(deleted, func(k sequence.Key) bool { return k.Kind != sequence.Cron })
		for _, key := range keys(step.Terminate) {
			o, ok := state.Get(key)
			if !ok {
				return "", fmt.Errorf("step %d: %w: %s", i+1, errNoObject, key)
			}
			o.Deleting = true
			state.Add(o)
		}
		for _, o := range step.Objects {
			if made, ok := sequence.Read(o); ok {
				state.Add(made)
			}
		}
		begun, before := state, encoded(state)
		state, err = state.After(sequence.Step{Input: in, Digest: digest(step.Images), Snapshots: step.Snapshots, Deleted: deleted})
		if err != nil {
			return "", fmt.Errorf("step %d: %w", i+1, err)
		}
		if diff := cmp.Diff(want.Listing, List(before, encoded(state))); diff != "" {
			return fmt.Sprintf("step %d differs (-operators +prediction):\n%s", i+1, diff), nil
		}
		if diff := comparePlan(want.Listing, transition.Between(begun, state), gone); diff != "" {
			return fmt.Sprintf("step %d: %s", i+1, diff), nil
		}
	}
	return "", nil
}

// comparePlan returns where a plan says something else of a step than the operators' code does in
// it. The plan leaves out volumes that no cron imported. gone has the names of crons that were deleted in steps before, and gets
// those of the step: a listing has no namespaces, so of two crons with one name it does not say whose an object is.
func comparePlan(listing []Entry, got transition.Step, gone map[string]bool) string {
	want := map[string][]string{}
	owned, crons := map[string]bool{}, map[string]bool{}
	for _, e := range listing {
		crons[e.Name] = crons[e.Name] || e.Kind == "DataImportCron" && e.State != "deleted"
		gone[e.Name] = gone[e.Name] || e.Kind == "DataImportCron" && e.State == "deleted"
		name := e.Kind + "/" + e.Name
		switch {
		case e.Kind == "PersistentVolumeClaim" && e.Cron == "":
			continue
		case e.State == "created":
			want["appear"] = append(want["appear"], name)
		case e.State == "deleted":
			want["disappear"] = append(want["disappear"], name)
		case e.State == "changed":
			want["change"] = append(want["change"], name)
		}
		if e.Orphan {
			owned[name] = true
		}
	}
	unclear := map[string]bool{}
	for _, e := range listing {
		name := e.Kind + "/" + e.Name
		unclear[name] = unclear[name] || crons[e.Cron] && gone[e.Cron]
		// Another cron may have taken over the volume of a DataVolume that nothing looks after.
		ofOrphan := !crons[e.Cron] && slices.ContainsFunc(e.Owners, func(owner string) bool { return owned[owner] })
		if e.State != "deleted" && (e.Orphan || ofOrphan) {
			want["remain"] = append(want["remain"], name)
		}
	}
	isUnclear := func(name string) bool { return unclear[name] }
	remain := slices.DeleteFunc(namesOf(got.Remain), isUnclear)
	want["remain"] = slices.DeleteFunc(want["remain"], isUnclear)
	for _, one := range []struct {
		what  string
		names []string
	}{{"appear", namesOf(got.Appear)}, {"disappear", namesOf(got.Disappear)}, {"remain", remain}} {
		names := slices.Sorted(slices.Values(one.names))
		slices.Sort(want[one.what])
		if diff := cmp.Diff(want[one.what], names, cmpopts.EquateEmpty()); diff != "" {
			return fmt.Sprintf("%s differs (-operators +plan):\n%s", one.what, diff)
		}
	}
	for _, name := range want["change"] {
		if !slices.ContainsFunc(got.Change, func(o transition.Object) bool { return o.Kind+"/"+o.Name == name }) {
			return fmt.Sprintf("the plan does not say that %s changes", name)
		}
	}
	return ""
}

// namesOf returns the kinds and names of objects, as a listing of the operators' code has them.
func namesOf(list []transition.Object) []string {
	var names []string
	for _, o := range list {
		names = append(names, o.Kind+"/"+o.Name)
	}
	return names
}

func keys(names []string) []sequence.Key {
	var out []sequence.Key
	for _, name := range names {
		parts := strings.SplitN(name, "/", 3)
		out = append(out, sequence.Key{Kind: parts[0], Namespace: parts[1], Name: parts[2]})
	}
	return out
}

// digest is what the pollers of the sequences find (test/oracle/sequence.go).
func digest(version string) func(source, found string) string {
	return func(source, _ string) string {
		return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(source+"#"+version)))
	}
}

func encoded(s sequence.State) []expansion.Object {
	var out []expansion.Object
	for _, o := range s.Objects() {
		out = append(out, encode(o))
	}
	return out
}

// encode returns an object as it is on a cluster, as far as [NewEntry] reads it.
func encode(o sequence.Object) expansion.Object {
	owners := make([]any, 0, len(o.Owners))
	for _, owner := range o.Owners {
		kind, name, _ := strings.Cut(owner, "/")
		owners = append(owners, map[string]any{"kind": kind, "name": name})
	}
	spec := any(o.Spec)
	if o.Kind == sequence.DataSource {
		spec = map[string]any{"source": o.Source}
	}
	metadata := map[string]any{"name": o.Name, "namespace": o.Namespace, "labels": o.Labels, "ownerReferences": owners}
	return expansion.NewObject(map[string]any{"kind": o.Kind, "metadata": metadata, "spec": spec})
}

// without returns a state without some objects, and without what these own. The others count as
// objects that were there before, and keep the order in which they were used.
func without(s sequence.State, gone []sequence.Key) sequence.State {
	left := slices.DeleteFunc(s.Objects(), func(o sequence.Object) bool { return slices.Contains(gone, o.Key) })
	for before := -1; before != len(left); {
		before = len(left)
		there := slices.Clone(left)
		left = slices.DeleteFunc(left, func(o sequence.Object) bool {
			return len(o.Owners) > 0 && !slices.ContainsFunc(o.Owners, func(owner string) bool {
				kind, name, _ := strings.Cut(owner, "/")
				return !slices.Contains(sequence.Kinds(), kind) || slices.ContainsFunc(there, func(o2 sequence.Object) bool {
					return o2.Key == sequence.Key{Kind: kind, Namespace: o.Namespace, Name: name}
				})
			})
		})
	}
	uses := make([]string, 0, len(left))
	for _, o := range left {
		uses = append(uses, o.LastUse)
	}
	slices.Sort(uses)
	var out sequence.State
	for _, o := range left {
		if o.Made = 0; o.LastUse != "" {
			o.LastUse = fmt.Sprintf("%09d", slices.Index(uses, o.LastUse))
		}
		out.Add(o)
	}
	return out
}
