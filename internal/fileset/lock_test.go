package fileset

import (
	"os"
	"testing"

	"github.com/goldenarch/goldenarch/internal/durable"
)

// TestRemoveLock: a lock file that a killed run left goes, and a file of somebody else
// stays.
func TestRemoveLock(t *testing.T) {
	t.Parallel()
	for text, stays := range map[string]bool{"": false, "mine": true} {
		dir := t.TempDir()
		name := durable.LockName(JournalOf(dir))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		RemoveLock(dir)
		if _, err := os.Lstat(name); (err == nil) != stays {
			t.Errorf("the text %q: the file stays: %v, want %v", text, err == nil, stays)
		}
	}
	dir := t.TempDir()
	RemoveLock(dir)
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("without a lock file nothing is made, got %v (%v)", left, err)
	}
}
