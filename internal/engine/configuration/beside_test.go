package configuration

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// TestLockBeside: a lock beside a CR counts in every form that a lock in the input has, and a
// mistake in it is reported.
func TestLockBeside(t *testing.T) {
	t.Parallel()
	const list = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: goldenarch.dev/v1alpha1, kind: ArchitectureLock, metadata: {name: l}, images: []}\n"
	const one = "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: l}\nimages: []\n"
	for _, tc := range []struct {
		reason, text string
		items        int
		want         finding.ID
	}{
		{"a lock", one, 1, ""},
		{"a lock in a List", list, 1, ""},
		{"what else is there is not of the input", one + "---\napiVersion: v1\nkind: Node\nmetadata: {name: n}\n", 1, ""},
		{"an empty file", "", 0, finding.Unreadable},
		{"no object", "a: b\n", 0, finding.Unreadable},
		{"another object", "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n", 0, finding.Unreadable},
		{"a misspelled kind", "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLok\nmetadata: {name: l}\nimages: []\n", 0, finding.KindSimilar},
	} {
		dir := t.TempDir()
		cr := filepath.Join(dir, "hco.yaml")
		for name, text := range map[string]string{
			cr:                                "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\n",
			filepath.Join(dir, lock.FileName): tc.text,
		} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		items, err := manifest.ReadFile(cr)
		if err != nil {
			t.Fatal(err)
		}
		_, extra, found := Source{Files: []string{cr}}.Load(nil, items, object.All(items))
		var got finding.ID
		for _, f := range found {
			got = f.ID
		}
		if len(extra) != tc.items || got != tc.want || strings.Contains(found.String(), ".krmignore") { // it is no manifest to leave out
			t.Errorf("%s: want %d items and %q, got %d: %s", tc.reason, tc.items, tc.want, len(extra), found)
		}
	}
}
