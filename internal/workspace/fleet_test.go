package workspace

import (
	"path/filepath"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestNearestDir: a file is a template of the nearest chart above it, and not of one beside it.
func TestNearestDir(t *testing.T) {
	dir := filetest.New(t, map[string]string{
		"chart/Chart.yaml": "name: c\n", "chart/templates/cr.yaml": "", "chart/templates/below/cr.yaml": "", "cr.yaml": "",
	})
	for _, tc := range []struct{ reason, from, file, want string }{
		{"in the chart", ".", "chart/templates/cr.yaml", "chart"},
		{"by its whole name", ".", filepath.Join(dir, "chart/templates/cr.yaml"), filepath.Join(dir, "chart")},
		{"from inside of the chart", "chart/templates", "cr.yaml", ".."},
		{"above the chart", "chart", "../cr.yaml", ""},
		{"above the directory, and in the chart", "chart/templates/below", "../cr.yaml", "../.."},
	} {
		t.Chdir(filepath.Join(dir, tc.from))
		if got := nearestDir(filepath.Dir(tc.file), isChart); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
		}
	}
}
