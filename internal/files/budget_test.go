package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestBudget: what is read for one directory has an end, in files and in bytes,
// however small each file is. The largest file that counts is no larger than the
// disk needs to hold nothing at all.
func TestBudget(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	empty, large := filepath.Join(dir, "empty"), filepath.Join(dir, "large")
	for name, size := range map[string]int64{empty: 0, large: DefaultLimit} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(name, size); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		spent Budget
		file  string
		want  error
	}{
		"LastFile":    {Budget{files: MaxFiles - 1}, empty, nil},
		"TooManyFile": {Budget{files: MaxFiles}, empty, ErrTooMany},
		"LastBytes":   {Budget{bytes: 3 * DefaultLimit}, large, nil},
		"TooMuch":     {Budget{bytes: 3*DefaultLimit + 1}, large, ErrTooLarge},
	} {
		budget := tc.spent
		if _, err := budget.Read(tc.file); !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
			t.Errorf("%s: want %v, got %v", name, tc.want, err)
		}
		if budget.Files() != tc.spent.files+1 {
			t.Errorf("%s: %d files were counted", name, budget.Files())
		}
		info, err := os.Stat(tc.file)
		if err != nil {
			t.Fatal(err)
		}
		again := tc.spent
		if err := again.Again(tc.file, int(info.Size())); !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
			t.Errorf("%s, read once before: want %v, got %v", name, tc.want, err)
		}
		if again != budget {
			t.Errorf("%s: a file that is read again counts as %+v, and one that is read as %+v", name, again, budget)
		}
	}
}
