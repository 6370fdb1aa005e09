package manifest

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestIgnores: each directory may have a .krmignore, for itself and what is
// below it.
func TestIgnores(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		files  map[string]string
		want   []string
	}{
		{"of the path given", map[string]string{".krmignore": "x.yaml\n", "a.yaml": "", "x.yaml": "", "sub/x.yaml": "", "sub/b.yaml": ""}, []string{"a.yaml", "sub/b.yaml"}},
		{"of a directory below", map[string]string{"sub/.krmignore": "x.yaml\n", "x.yaml": "", "sub/x.yaml": "", "sub/b.yaml": ""}, []string{"sub/b.yaml", "x.yaml"}},
		{"it holds below its directory, too", map[string]string{"sub/.krmignore": "x.yaml\n", "sub/deep/x.yaml": "", "sub/deep/b.yaml": ""}, []string{"sub/deep/b.yaml"}},
		{"but not beside it", map[string]string{"sub/.krmignore": "x.yaml\n", "sub2/x.yaml": "", "sub/x.yaml": "", "sua/x.yaml": ""}, []string{"sua/x.yaml", "sub2/x.yaml"}},
		{"patterns are relative to it", map[string]string{"sub/.krmignore": "/deep/x.yaml\n", "sub/deep/x.yaml": "", "deep/x.yaml": "", "sub/b/deep/x.yaml": ""}, []string{"deep/x.yaml", "sub/b/deep/x.yaml"}},
		{"a directory", map[string]string{"sub/.krmignore": "deep/\n", "sub/deep/x.yaml": "", "sub/b.yaml": ""}, []string{"sub/b.yaml"}},
		{"one in an ignored directory says nothing", map[string]string{".krmignore": "sub/\n", "sub/.krmignore": "!x.yaml\n", "sub/x.yaml": "", "a.yaml": ""}, []string{"a.yaml"}},
		{"all of a directory", map[string]string{"sub/.krmignore": "*\n", "sub/x.yaml": "", "sub/deep/y.yaml": "", "a.yaml": ""}, []string{"a.yaml"}},
		{"the nearest one decides", map[string]string{".krmignore": "*.yaml\n", "sub/.krmignore": "!x.yaml\n", "a.yaml": "", "sub/x.yaml": "", "sub/y.yaml": ""}, []string{"sub/x.yaml"}},
		{"a comment and a blank line are no pattern", map[string]string{"sub/.krmignore": "# x.yaml\n\n", "sub/x.yaml": ""}, []string{"sub/x.yaml"}},
		{"a package inside begins anew", map[string]string{".krmignore": "x.yaml\n", "sub/Kptfile": "", "sub/x.yaml": "", "x.yaml": ""}, []string{"sub/x.yaml"}},
		{"with its own", map[string]string{".krmignore": "x.yaml\n", "sub/Kptfile": "", "sub/.krmignore": "y.yaml\n", "sub/x.yaml": "", "sub/y.yaml": ""}, []string{"sub/x.yaml"}},
		{"an ignored kustomization need not be built", map[string]string{"sub/.krmignore": "kustomization.yaml\n", "sub/kustomization.yaml": "", "sub/x.yaml": ""}, []string{"sub/x.yaml"}},
	} {
		dir := t.TempDir()
		write(t, dir, tc.files)
		listed, err := files(dir)
		if err != nil {
			t.Fatalf("%s: %v", tc.reason, err)
		}
		var got []string
		for _, file := range listed {
			name, err := filepath.Rel(dir, file)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, filepath.ToSlash(name))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestIgnoresUnreadable: what cannot be read is not taken for empty.
func TestIgnoresUnreadable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{"sub/.krmignore/file": "", "sub/x.yaml": ""})
	if got, err := files(dir); err == nil {
		t.Errorf("want an error, got %v", got)
	}
}
