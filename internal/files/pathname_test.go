package files

import (
	"os"
	"path/filepath"
	"testing"
)

// TestNamed: a path beside a directory is a path to the same file, also if the name of the
// directory is a link.
func TestNamed(t *testing.T) {
	top, err := Real(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(top, "shared/overlay"), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(top, "clusters"), 0o750); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"clusters/one": "../shared/overlay", "alias": "shared"} {
		if err := os.Symlink(target, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(top)
	dir := filepath.Join(top, "shared/overlay")
	for _, tc := range []struct{ reason, name, path, want string }{
		{"below the directory", "clusters/one", "shared/overlay/a/b.yaml", "clusters/one/a/b.yaml"},
		{"a name with dots", "clusters/one", "shared/overlay/..a.yaml", "clusters/one/..a.yaml"},
		{"beside a directory without links", "shared/overlay", "shared/base/a.yaml", "shared/base/a.yaml"},
		{"the link is above both", "alias/overlay", "shared/base/a.yaml", "alias/base/a.yaml"},
		{"the link is between them", "alias/overlay", "other/a.yaml", "other/a.yaml"},
		{"the directory is a link", "clusters/one", "shared/base/a.yaml", "shared/base/a.yaml"},
		{"an absolute name", filepath.Join(top, "clusters/one"), "shared/base/a.yaml", filepath.Join(top, "shared/base/a.yaml")},
	} {
		if got := Named(tc.name, dir, filepath.Join(top, tc.path)); got != filepath.FromSlash(tc.want) {
			t.Errorf("%s: want %s, got %s", tc.reason, tc.want, got)
		}
	}
	t.Chdir(filepath.Join(top, "clusters/one"))
	if got, want := Named(".", dir, filepath.Join(top, "shared/base/a.yaml")), filepath.Join(top, "shared/base/a.yaml"); got != want {
		t.Errorf("the working directory is a link: want %s, got %s", want, got)
	}
}
