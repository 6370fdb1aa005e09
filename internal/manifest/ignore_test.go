package manifest

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
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
		{
			reason: "of the path given",
			files:  map[string]string{".krmignore": "x.yaml\n", "a.yaml": "", "x.yaml": "", "sub/x.yaml": "", "sub/b.yaml": ""},
			want:   []string{"a.yaml", "sub/b.yaml"},
		},
		{"of a directory below", map[string]string{"sub/.krmignore": "x.yaml\n", "x.yaml": "", "sub/x.yaml": "", "sub/b.yaml": ""}, []string{"sub/b.yaml", "x.yaml"}},
		{
			reason: "it holds below its directory, too",
			files:  map[string]string{"sub/.krmignore": "x.yaml\n", "sub/deep/x.yaml": "", "sub/deep/b.yaml": ""},
			want:   []string{"sub/deep/b.yaml"},
		},
		{
			reason: "but not beside it",
			files:  map[string]string{"sub/.krmignore": "x.yaml\n", "sub2/x.yaml": "", "sub/x.yaml": "", "sua/x.yaml": ""},
			want:   []string{"sua/x.yaml", "sub2/x.yaml"},
		},
		{
			reason: "patterns are relative to it",
			files:  map[string]string{"sub/.krmignore": "/deep/x.yaml\n", "sub/deep/x.yaml": "", "deep/x.yaml": "", "sub/b/deep/x.yaml": ""},
			want:   []string{"deep/x.yaml", "sub/b/deep/x.yaml"},
		},
		{"a directory", map[string]string{"sub/.krmignore": "deep/\n", "sub/deep/x.yaml": "", "sub/b.yaml": ""}, []string{"sub/b.yaml"}},
		{
			reason: "one in an ignored directory says nothing",
			files:  map[string]string{".krmignore": "sub/\n", "sub/.krmignore": "!x.yaml\n", "sub/x.yaml": "", "a.yaml": ""},
			want:   []string{"a.yaml"},
		},
		{"all of a directory", map[string]string{"sub/.krmignore": "*\n", "sub/x.yaml": "", "sub/deep/y.yaml": "", "a.yaml": ""}, []string{"a.yaml"}},
		{
			reason: "the nearest one decides",
			files:  map[string]string{".krmignore": "*.yaml\n", "sub/.krmignore": "!x.yaml\n", "a.yaml": "", "sub/x.yaml": "", "sub/y.yaml": ""},
			want:   []string{"sub/x.yaml"},
		},
		{"a comment and a blank line are no pattern", map[string]string{"sub/.krmignore": "# x.yaml\n\n", "sub/x.yaml": ""}, []string{"sub/x.yaml"}},
		{"a package inside begins anew", map[string]string{".krmignore": "x.yaml\n", "sub/Kptfile": "", "sub/x.yaml": "", "x.yaml": ""}, []string{"sub/x.yaml"}},
		{
			reason: "with its own",
			files:  map[string]string{".krmignore": "x.yaml\n", "sub/Kptfile": "", "sub/.krmignore": "y.yaml\n", "sub/x.yaml": "", "sub/y.yaml": ""},
			want:   []string{"sub/x.yaml"},
		},
		{
			reason: "modules that Go has copied",
			files: map[string]string{
				"vendor/modules.txt": "", "vendor/k8s.io/a/testdata/x.yaml": "", "sub/vendor/modules.txt": "", "sub/vendor/x.yaml": "", "a.yaml": "",
			},
			want: []string{"a.yaml"},
		},
		{
			reason: "another directory of that name",
			files:  map[string]string{"vendor/x.yaml": "", "vendor/modules.txt/y.yaml": ""},
			want:   []string{"vendor/modules.txt/y.yaml", "vendor/x.yaml"},
		},
		{
			reason: "modules that Go has copied, and that a person wants to be read",
			files:  map[string]string{".krmignore": "!vendor/\n", "vendor/modules.txt": "", "vendor/x.yaml": ""},
			want:   []string{"vendor/x.yaml"},
		},
		{
			reason: "an ignored kustomization need not be built",
			files:  map[string]string{"sub/.krmignore": "kustomization.yaml\n", "sub/kustomization.yaml": "", "sub/x.yaml": ""},
			want:   []string{"sub/x.yaml"},
		},
	} {
		dir := filetest.New(t, tc.files)
		listed, _, err := manifestPaths(dir, nil)
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
	dir := filetest.New(t, map[string]string{"sub/.krmignore/file": "", "sub/x.yaml": ""})
	if got, _, err := manifestPaths(dir, nil); err == nil {
		t.Errorf("want an error, got %v", got)
	}
}
