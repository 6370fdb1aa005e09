package lock

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// leftoverAge is the age after which no process still writes a temporary file. Writing a
// lock takes much less time.
const leftoverAge = time.Minute

// temporary is the pattern for the names of a file's temporary files.
func temporary(target string) string { return "." + filepath.Base(target) + ".*.tmp" }

// removeLeftovers removes the temporary files of processes that were killed while they
// wrote the file. A file that it cannot remove does not prevent the write.
func (r replacer) removeLeftovers(target string) {
	dir := filepath.Dir(target)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	before, after, _ := strings.Cut(temporary(target), "*")
	for _, e := range entries {
		middle, ours := strings.CutPrefix(e.Name(), before)
		middle, whole := strings.CutSuffix(middle, after)
		if !ours || !whole || middle == "" || strings.Trim(middle, "0123456789") != "" || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > leftoverAge {
			_ = r.disk.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
