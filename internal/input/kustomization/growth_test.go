package kustomization

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/filetest"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	filetest.File(t, filepath.Join(dir, name), text)
}

// replacing returns one replacement, from one field to another.
func replacing(from, to, options string) string {
	return fmt.Sprintf("- source: {kind: Thing, fieldPath: %q}\n  targets: [{select: {kind: Thing}, fieldPaths: [%q], options: {%s}}]\n", from, to, options)
}

func TestRefuseGrowth(t *testing.T) {
	t.Parallel()
	const join = "delimiter: '-', index: 0"
	repeated := func(n int, one func(i int) string) string {
		var text strings.Builder
		for i := range n {
			text.WriteString(one(i))
		}
		return text.String()
	}
	between := func(i int) string {
		return replacing("spec."+string("ab"[i%2]), "spec."+string("ab"[(i+1)%2]), join)
	}
	for _, tc := range []struct {
		reason, list string
		// long is how many characters spec.a has.
		long int
		want error
	}{
		{
			reason: "one source in many places, as generated operators have it",
			list:   repeated(200, func(i int) string { return replacing("metadata.name", fmt.Sprintf("spec.list.%d", i), join) }),
			long:   1 << 20,
		},
		{"many sources in one place", repeated(200, func(i int) string { return replacing(fmt.Sprintf("data.k%d", i), "spec.b", join) }), 100, nil},
		{"a chain of a few steps, of a long text", repeated(3, func(i int) string {
			return replacing(fmt.Sprintf("spec.k%d", i), fmt.Sprintf("spec.k%d", i+1), "create: true")
		}), 1 << 20, nil},
		{"a few copies to and fro, of a short text", repeated(4, between), 100, nil},
		{"the same of a long text", repeated(4, between), 1 << 20, errGrows},
		{"many copies to and fro", repeated(40, between), 1, errGrows},
		{"a field that becomes a part of itself", repeated(40, func(int) string { return replacing("spec.a", "spec.a", join) }), 1, errGrows},
		{
			reason: "a tree that becomes a part of itself",
			list:   repeated(40, func(i int) string { return replacing("spec", fmt.Sprintf("spec.k%d", i), "create: true") }),
			long:   1,
			want:   errGrows,
		},
		{"a part that takes the place of the whole, and so on", repeated(40, func(int) string {
			return replacing("spec.a", "spec.l.0", join) + replacing("spec.l.[name=x]", "spec.a", join)
		}), 1, errGrows},
		{"more fields than anybody writes", repeated(maxFields+1, func(int) string { return replacing("metadata.name", "spec.b", "create: true") }), 1, errFields},
	} {
		dir := t.TempDir()
		write(t, dir, "kustomization.yaml", "resources: [m.yaml]\nreplacements:\n"+tc.list)
		write(t, dir, "m.yaml", "apiVersion: v1\nkind: Thing\nmetadata: {name: m}\nspec: {a: "+strings.Repeat("x", tc.long)+", b: y}\n")
		b, err := newBuild(newDisk(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.refuseGrowth(b.root); !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
			t.Errorf("%s: want %v, got %v", tc.reason, tc.want, err)
		}
	}
}

// TestGrowthOfOverlays: objects of siblings are not the same, so what each copies is
// not added up.
func TestGrowthOfOverlays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	list := ""
	for i := range 60 {
		one := fmt.Sprintf("o%d", i)
		write(t, filepath.Join(dir, one), "kustomization.yaml", "resources: [m.yaml]\nreplacements:\n"+replacing("spec.a", "spec.b", "delimiter: '-'"))
		write(t, filepath.Join(dir, one), "m.yaml", "apiVersion: v1\nkind: Thing\nmetadata: {name: "+one+"}\nspec: {a: "+strings.Repeat("x", 1<<16)+", b: y}\n")
		list += "- " + one + "\n"
	}
	write(t, dir, "kustomization.yaml", "resources:\n"+list)
	b, err := newBuild(newDisk(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.refuseGrowth(b.root); err != nil {
		t.Error(err)
	}
	write(t, dir, "kustomization.yaml", "components:\n"+list)
	for i := range 60 {
		path := filepath.Join(dir, fmt.Sprintf("o%d", i), "kustomization.yaml")
		text := "kind: Component\nresources: [m.yaml]\nreplacements:\n" +
			replacing("spec.a", "spec.b", "delimiter: '-'") + replacing("spec.b", "spec.a", "delimiter: '-'")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if b, err = newBuild(newDisk(), dir); err != nil {
		t.Fatal(err)
	}
	if err := b.refuseGrowth(b.root); !errors.Is(err, errGrows) {
		t.Errorf("components have the same objects: want %v, got %v", errGrows, err)
	}
}

// TestGuardedEndsWhatGrows runs alone: the memory is the process's.
func TestGuardedEndsWhatGrows(t *testing.T) {
	d := newDisk()
	var kept [][]byte
	ended := make(chan struct{})
	err := d.guarded(func() {
		defer close(ended)
		for !d.abandoned.Load() {
			kept = append(kept, make([]byte, 1<<20))
			if len(kept) > 4*maxMemory>>20 {
				return
			}
		}
	})
	<-ended
	if !errors.Is(err, ErrMemory) {
		t.Errorf("want %v with %d MiB, got %v", ErrMemory, len(kept), err)
	}
}
