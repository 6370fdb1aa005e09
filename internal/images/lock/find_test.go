package lock

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// list is a list of a kind with an element.
func list(kind, element string) string {
	text := "apiVersion: goldenarch.dev/v1alpha1\nkind: " + kind + "\nitems:\n-\n"
	for line := range strings.Lines(element) {
		text += "  " + line
	}
	return text
}

// What render reads can be compared; what cannot be written says what to do.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	a := image("r.io/a:1", "a", "amd64")
	b := image("r.io/b:1", "b", "amd64", "arm64")
	lock := head + "images:\n" + entryOf("r.io/a:1", "a", "amd64")
	const asJSON = `{"apiVersion":"goldenarch.dev/v1alpha1","kind":"ArchitectureLock","metadata":{"name":"l"},` +
		`"images":[{"reference":"r.io/a:1","digest":"sha256:D","mediaType":"` +
		index + `","size":700,"platforms":[{"os":"linux","architecture":"amd64","digest":"sha256:0"}]}]}` + "\n"
	object := strings.NewReplacer("sha256:D", digest("a"), "sha256:0", digest("0")).Replace(asJSON)
	for _, tc := range []struct {
		reason, text string
		err          error
	}{
		{"an item of a List", list("List", lock), errInList},
		{"of a List in a List", list("List", list("List", lock)), errInList},
		{"an element that need not say its kind", list("ArchitectureLockList", strings.Join(strings.SplitAfter(lock, "\n")[2:], "")), errInList},
		{"JSON", object, errJSON},
		{"JSON behind a marker", "---\n" + object, errJSON},
		{"the second of two objects of JSON", `{"kind":"X"}` + object, errJSON},
		{"another encoding, as Windows writes it", "\xff\xfe" + strings.Join(strings.Split(lock, ""), "\x00") + "\x00", errNotUTF8},
		{"a lock in two parts", lock + "---\n" + head, errTwoLocks},
	} {
		f, found, err := ReadFile("l.yaml", []byte(tc.text))
		if err != nil || found.Failed() {
			t.Errorf("%s: want it read, got %v %v", tc.reason, err, found)
			continue
		}
		if changes := Compare(f.Lock(), []registry.Image{a}, nil); len(changes) > 0 {
			t.Errorf("%s: the lock is as the registry says, got %s", tc.reason, Text(changes))
		}
		if text, err := f.With(nil); err != nil || string(text) != tc.text {
			t.Errorf("%s: without a change there is nothing to write, got %v\n%s", tc.reason, err, text)
		}
		if _, err := f.With([]Change{{Answer: &b}}); !errors.Is(err, tc.err) {
			t.Errorf("%s: want %v, got %v", tc.reason, tc.err, err)
		}
	}
}

// Merge keys are read as render reads them, and written around.
func TestMergeKeys(t *testing.T) {
	t.Parallel()
	merged := func(more string) string {
		return head + "images:\n- &a\n  reference: r.io/a:1\n  digest: '" + digest("a") + "'\n  mediaType: " + index +
			"\n  platforms: [{os: linux, architecture: amd64}]\n" +
			more + "- !!merge <<: *a\n  reference: r.io/c:1\n"
	}
	b := image("r.io/b:1", "b", "amd64", "arm64")
	f, found, err := ReadFile("l.yaml", []byte(strings.ReplaceAll(merged(""), "!!merge ", "")))
	if err != nil || found.Failed() {
		t.Fatalf("a key that is merged and set is set: %v %v", err, found)
	}
	if got := len(f.Lock().Images()); got != 2 {
		t.Errorf("want two entries, got %d", got)
	}
	got, err := f.With([]Change{{Answer: &b}})
	want := strings.ReplaceAll(merged(entryOf("r.io/b:1", "b", "amd64", "arm64")), "!!merge ", "")
	if err != nil || string(got) != want {
		t.Errorf("an entry is added (%v):\n%s", err, cmp.Diff(want, string(got)))
	}
	changed := image("r.io/c:1", "c", "amd64")
	if got, err := f.With([]Change{{Answer: &changed}}); err != nil || !strings.Contains(string(got), digest("c")) {
		t.Errorf("an entry with a merge key is changed: %v\n%s", err, got)
	}
	for reason, text := range map[string]string{
		"a List that holds itself":           "&a\napiVersion: v1\nkind: List\nitems: [*a]\n",
		"the lock on the line of its marker": "kind: X\n--- {apiVersion: goldenarch.dev/v1alpha1, kind: ArchitectureLock, metadata: {name: l}}\n",
	} {
		f, _, err := ReadFile("l.yaml", []byte(text))
		if err == nil {
			_, err = f.With([]Change{{Answer: &b}})
		}
		if err == nil {
			t.Errorf("%s: want an error", reason)
		}
	}
}
