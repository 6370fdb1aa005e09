package lock

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// drawn is an answer of any platforms.
func drawn(t *rapid.T, reference string) registry.Image {
	all := []string{"amd64", "arm/v6", "arm/v7", "arm64", "arm64/v8", "s390x"}
	platforms := rapid.SliceOfNDistinct(rapid.SampledFrom(all), 1, 4, rapid.ID[string]).Draw(t, "platforms")
	slices.Sort(platforms)
	out := image(reference, rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "digest"), platforms...)
	out.Size = rapid.IntRange(0, 2).Draw(t, "size")
	out.Mirror = rapid.SampledFrom([]string{"", "m.io/x", "[::1]:5/x"}).Draw(t, "mirror")
	out.Bundle = rapid.Bool().Draw(t, "bundle")
	out.Platforms = out.Platforms.Sorted()
	return out
}

// Any lock, in any of the ways to write one, after any changes: it says just
// what was to be said, what did not change has its bytes and its comment, and a
// second run changes nothing.
func TestWithSaysWhatItIsTo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		references := rapid.SliceOfNDistinct(rapid.IntRange(0, 20), 0, 8, rapid.ID[int]).Draw(t, "locked")
		indent := rapid.SampledFrom([]int{0, 2, 4}).Draw(t, "indent")
		text := "# before\n" + head + "images:\n"
		if len(references) == 0 {
			text = "# before\n" + head + rapid.SampledFrom([]string{"images: []\n", "images:\n", ""}).Draw(t, "nothing")
		}
		kept := map[string]string{} // the bytes of an entry, with its comment
		for _, n := range references {
			i := drawn(t, fmt.Sprintf("r.io/image%d:1", n))
			entry, err := written(Change{Answer: &i}.edit().fill, indent)
			if err != nil {
				t.Fatal(err)
			}
			entry = rapid.SampledFrom([]string{"", "# about it\n", "\n    # indented\n"}).Draw(t, "comment") + entry
			kept[i.Reference] = entry
			text += entry
		}
		text += rapid.SampledFrom([]string{"", "# after\n", "---\nkind: Other\n"}).Draw(t, "after")
		if rapid.Bool().Draw(t, "windows") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		f, found, err := ReadFile("l.yaml", []byte(text))
		if err != nil || found.Failed() {
			t.Fatalf("%v %s\n%s", err, found, text)
		}
		var answers []registry.Image
		var dropped []imageref.Reference
		for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, 20), 0, 8, rapid.ID[int]).Draw(t, "touched") {
			answer := drawn(t, fmt.Sprintf("r.io/image%d:1", n))
			if rapid.IntRange(0, 3).Draw(t, "drop") > 0 {
				answers = append(answers, answer)
			} else if r, err := imageref.Parse(answer.Reference); err == nil {
				dropped = append(dropped, r)
			}
		}
		changes := Compare(f.Lock(), answers, dropped)
		got, err := f.With(changes)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		again, found, err := ReadFile("l.yaml", got)
		if err != nil || found.Failed() {
			t.Fatalf("what was written cannot be read: %v %s\n%s", err, found, got)
		}
		if !slices.EqualFunc(again.Lock().Images(), f.after(changes), equal) {
			t.Errorf("it does not say what it is to\nbefore:\n%s\nafter:\n%s", text, got)
		}
		if left := Compare(again.Lock(), answers, dropped); len(left) > 0 {
			t.Errorf("a second run finds changes:\n%s", Text(left))
		}
		for _, c := range changes {
			delete(kept, c.Reference())
		}
		for reference, entry := range kept {
			if !bytes.Contains(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), []byte(entry)) {
				t.Errorf("%s has not changed, but its bytes have\nbefore:\n%s\nafter:\n%s", reference, text, got)
			}
		}
	})
}

// Reading and editing never panics, and what was edited can be read.
func FuzzReadFile(f *testing.F) {
	for _, seed := range []string{
		empty,
		head + "images:\n" + entryOf("r.io/a:1", "a", "amd64"),
		head + "images: [{}]",
		"---\n---",
		"images:\n-",
		head + "images: *a",
	} {
		f.Add([]byte(seed))
	}
	b := image("r.io/b:1", "b", "amd64", "arm64")
	f.Fuzz(func(t *testing.T, data []byte) {
		file, found, err := ReadFile("l.yaml", data)
		if err != nil || found.Failed() {
			return
		}
		got, err := file.With([]Change{{Answer: &b}})
		if err != nil {
			return
		}
		again, found, err := ReadFile("l.yaml", got)
		if err != nil || found.Failed() {
			t.Fatalf("what was edited cannot be read: %v %s\n%s", err, found, got)
		}
		if _, ok := again.Lock().Find(ref(t, b.Reference)); !ok {
			t.Fatalf("the entry is not there:\n%s", got)
		}
	})
}
