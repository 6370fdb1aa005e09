package lock

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

func operator(name, csv string, architectures ...string) v1alpha1.LockedOperator {
	return v1alpha1.LockedOperator{Package: name, CSV: csv, Architectures: architectures}
}

func constrained(o v1alpha1.LockedOperator, by ...v1alpha1.OperatorConstraint) v1alpha1.LockedOperator {
	o.ConstrainedBy = by
	return o
}

// TestOperators changes the operators of a lock, in each form that a lock may have.
func TestOperators(t *testing.T) {
	t.Parallel()
	const entry = "- reference: r.io/a:1\n  digest: sha256:0000000000000000000000000000000000000000000000000000000000000000\n" +
		"  mediaType: application/vnd.oci.image.index.v1+json\n  platforms:\n  - {os: linux, architecture: amd64}\n"
	const acme = "- package: acme\n  csv: acme.v1\n  architectures: [amd64]\n"
	for _, tc := range []struct {
		reason, before string
		proven         []v1alpha1.LockedOperator
		prune          bool
		text, after    string
	}{
		{
			reason: "the list begins behind the images; comments stay", before: "images:\n# about a\n" + entry + "# the end\n",
			proven: []v1alpha1.LockedOperator{operator("acme", "acme.v1", "amd64", "arm64")}, text: "operator acme: not in the lock, has amd64,arm64 (acme.v1)\n",
			after: "images:\n# about a\n" + entry + "operators:\n- package: acme\n  csv: acme.v1\n  architectures: [amd64, arm64]\n# the end\n",
		},
		{
			reason: "an entry changes in its place, and keeps its comment", before: "images:\n" + entry + "operators:\n# ours\n" + acme,
			proven: []v1alpha1.LockedOperator{operator("acme", "acme.v1", "s390x")}, text: "operator acme: amd64 -> s390x (acme.v1)\n",
			after: "images:\n" + entry + "operators:\n# ours\n- package: acme\n  csv: acme.v1\n  architectures: [s390x]\n",
		},
		{
			reason: "entries are sorted by package and version", before: "images:\n" + entry + "operators:\n" + acme,
			proven: []v1alpha1.LockedOperator{operator("acme", "acme.v0", "arm64"), operator("acme", "acme.v1", "amd64")},
			text:   "operator acme: not in the lock, has arm64 (acme.v0)\n",
			after:  "images:\n" + entry + "operators:\n- package: acme\n  csv: acme.v0\n  architectures: [arm64]\n" + acme,
		},
		{
			reason: "how the operator restricts its pods is kept", before: "images: []\n",
			proven: []v1alpha1.LockedOperator{constrained(operator("acme", "acme.v1", "amd64"), "Affinity", "None")},
			text:   "operator acme: not in the lock, has amd64 (acme.v1)\n",
			after:  "images: []\noperators:\n" + acme + "  constrainedBy: [Affinity, None]\n",
		},
		{
			reason: "an entry of an earlier release does not say it, and is no difference", before: "images: []\noperators:\n" + acme,
			proven: []v1alpha1.LockedOperator{constrained(operator("acme", "acme.v1", "amd64"), "Affinity")},
			after:  "images: []\noperators:\n" + acme,
		},
		{
			reason: "it gets it with its next change", before: "images: []\noperators:\n" + acme,
			proven: []v1alpha1.LockedOperator{constrained(operator("acme", "acme.v1", "s390x"), "Affinity")},
			text:   "operator acme: amd64 -> s390x (acme.v1)\n",
			after:  "images: []\noperators:\n" + strings.Replace(acme, "amd64", "s390x", 1) + "  constrainedBy: [Affinity]\n",
		},
		{
			reason: "it changes", before: "images: []\noperators:\n" + acme + "  constrainedBy: [Affinity]\n",
			proven: []v1alpha1.LockedOperator{constrained(operator("acme", "acme.v1", "amd64"), "NodeSelector")},
			text:   "operator acme: its pods are restricted by nodeSelector, before by node affinity (acme.v1)\n",
			after:  "images: []\noperators:\n" + acme + "  constrainedBy: [NodeSelector]\n",
		},
		{reason: "what is not in the input stays", before: "images:\n" + entry + "operators:\n" + acme, after: "images:\n" + entry + "operators:\n" + acme},
		{
			reason: "unless it is pruned", before: "images:\n" + entry + "operators:\n" + acme, prune: true,
			text: "operator acme: not used (acme.v1)\n", after: "images:\n" + entry + "operators: []\n",
		},
		{
			reason: "a lock without images", before: "images: []\n", proven: []v1alpha1.LockedOperator{operator("acme", "acme.v1", "amd64")},
			text: "operator acme: not in the lock, has amd64 (acme.v1)\n", after: "images: []\noperators:\n" + acme,
		},
		{
			reason: "line ends of Windows stay", before: "images:\r\n" + strings.ReplaceAll(entry, "\n", "\r\n"),
			proven: []v1alpha1.LockedOperator{operator("acme", "acme.v1", "amd64")}, text: "operator acme: not in the lock, has amd64 (acme.v1)\n",
			after: strings.ReplaceAll("images:\n"+entry+"operators:\n"+acme, "\n", "\r\n"),
		},
	} {
		f, found, err := ReadFile("l.yaml", []byte(head+tc.before))
		if err != nil || found.Failed() {
			t.Fatalf("%s: %v %s", tc.reason, err, found)
		}
		changes := CompareOperators(f.Lock(), tc.proven, func(v1alpha1.LockedOperator) bool { return tc.prune })
		if diff := cmp.Diff(tc.text, TextOfOperators(changes)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
		got, err := f.With(nil, changes...)
		if diff := cmp.Diff(head+tc.after, string(got)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
			continue
		}
		again, found, err := ReadFile("l.yaml", got)
		if err != nil || found.Failed() {
			t.Fatalf("%s: %v %s", tc.reason, err, found)
		}
		if more := CompareOperators(again.Lock(), tc.proven, func(v1alpha1.LockedOperator) bool { return tc.prune }); len(more) > 0 {
			t.Errorf("%s: a second run changes %s", tc.reason, TextOfOperators(more))
		}
	}
}

// TestOperatorsOfSeveralLocks: locks are merged, and a disagreement is an error.
func TestOperatorsOfSeveralLocks(t *testing.T) {
	t.Parallel()
	of := func(file string, list ...v1alpha1.LockedOperator) Source {
		return Source{At: finding.Object{Kind: "ArchitectureLock", Name: "l", File: file}, Lock: &v1alpha1.ArchitectureLock{Operators: list}}
	}
	one, two := operator("acme", "acme.v1", "amd64"), operator("acme", "acme.v2", "arm64")
	l, found := New(of("a.yaml", two), of("b.yaml", one, two))
	if diff := cmp.Diff([]v1alpha1.LockedOperator{one, two}, l.Operators()); diff != "" || len(found) > 0 {
		t.Errorf("(-want +got):\n%s%s", diff, found)
	}
	full := constrained(one, "Affinity")
	for reason, sources := range map[string][]Source{
		"the lock of an earlier release is the first": {of("a.yaml", one), of("b.yaml", full)},
		"it is the last": {of("a.yaml", full), of("b.yaml", one)},
	} {
		l, found = New(sources...)
		if diff := cmp.Diff([]v1alpha1.LockedOperator{full}, l.Operators()); diff != "" || len(found) > 0 {
			t.Errorf("%s: (-want +got):\n%s%s", reason, diff, found)
		}
	}
	_, found = New(of("a.yaml", one), of("b.yaml", operator("acme", "acme.v1", "arm64")))
	const want = `error GA602 ArchitectureLock/l operators[0] (b.yaml): two locks disagree on the operator "acme" (acme.v1): ` +
		`ArchitectureLock/l (a.yaml) has amd64, but ArchitectureLock/l (b.yaml) has arm64`
	if len(found) != 1 || !strings.HasPrefix(found[0].String(), want) {
		t.Errorf("want %s, got %s", want, found)
	}
}

// TestImagesAndOperatorsAtOnce: one run may change both lists.
func TestImagesAndOperatorsAtOnce(t *testing.T) {
	t.Parallel()
	f := NewFile("l.yaml")
	changes := Compare(f.Lock(), []registry.Image{image("r.io/a:1", "a", "amd64")}, nil)
	got, err := f.With(changes, CompareOperators(f.Lock(), []v1alpha1.LockedOperator{operator("acme", "acme.v1", "amd64")}, nil)...)
	if err != nil {
		t.Fatal(err)
	}
	again, found, err := ReadFile("l.yaml", got)
	if err != nil || found.Failed() || len(again.Lock().Images()) != 1 || len(again.Lock().Operators()) != 1 {
		t.Errorf("want an image and an operator: %v %s\n%s", err, found, got)
	}
}
