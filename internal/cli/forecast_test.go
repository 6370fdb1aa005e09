package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestForecast runs the verb on the directories of testdata/forecast: input.yaml
// on standard input, with the flags of args.txt, gives stdout.txt and stderr.txt.
// A forecast is no judge, so the status is 0 whatever it predicts.
func TestForecast(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/forecast/*")
	if err != nil || len(dirs) < 15 {
		t.Fatalf("want at least 15 directories, got %d (%v)", len(dirs), err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			args := append([]string{"forecast", "-"}, strings.Fields(golden(t, dir, "args.txt"))...)
			status, stdout, stderr := runFed(t, golden(t, dir, "input.yaml"), args...)
			if status != 0 {
				t.Errorf("status %d, want 0\n%s", status, stderr)
			}
			hold(t, dir, "stdout.txt", stdout)
			hold(t, dir, "stderr.txt", stderr)
		})
	}
}
