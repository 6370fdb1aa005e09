package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestSameInBase: a build stands for that of the base only if all that it asked for is the same there, however the user names it.
func TestSameInBase(t *testing.T) {
	tree := map[string]string{"a/same.yaml": "x\n", "a/other.yaml": "x\n", "b/same.yaml": "x\n", "new.yaml": "x\n"}
	root, base := filetest.New(t, tree), filetest.New(t, map[string]string{"a/same.yaml": "x\n", "a/other.yaml": "y\n", "b/same.yaml": "x\n"})
	for dir, target := range map[string]string{root: "a", base: "b"} {
		if err := os.Symlink(target, filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root)
	for _, tc := range []struct {
		reason, path string
		want         bool
	}{
		{"a directory as the user names it", "a", true},
		{"a directory", filepath.Join(root, "a"), true},
		{"a file", filepath.Join(root, "a/same.yaml"), true},
		{"a file that neither has", filepath.Join(root, "a/none.yaml"), true},
		{"another text", filepath.Join(root, "a/other.yaml"), false},
		{"a new file", filepath.Join(root, "new.yaml"), false},
		{"a link that leads elsewhere, to the same text", filepath.Join(root, "link/same.yaml"), false},
		{"a file outside of the tree", filepath.Join(base, "a/same.yaml"), false},
	} {
		u := Base{top: root, policy: base, untrustedState: &untrustedState{same: map[string]bool{}}}
		if got := u.haveSame([]string{tc.path}); got != tc.want {
			t.Errorf("%s: want %t, got %t", tc.reason, tc.want, got)
		}
	}
}
