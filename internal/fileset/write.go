package fileset

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/goldenarch/goldenarch/internal/durable"
)

// Write replaces the files. After an error the first files may have their new text. Then
// the journal exists, and [Recover] finishes the run.
func (s Set) Write() error { return s.write(durable.System{}) }

func (s Set) write(disk durable.Disk) error {
	if len(s.targets) == 0 {
		return nil
	}
	unlock, err := durable.Lock(JournalOf(s.tree))
	if err != nil {
		return err
	}
	defer unlock()
	for _, t := range s.targets { // another process may have held the lock meanwhile
		if _, err := prepare(s.tree, t.Change); err != nil {
			return fmt.Errorf("write %s: %w", t.Name, err)
		}
	}
	removeLeftovers(JournalOf(s.tree)) // from a process that was killed before its journal was complete
	if len(s.targets) > 1 {
		if err := writeJournal(disk, s); err != nil {
			return fmt.Errorf("write the journal: %w", err)
		}
	}
	for _, t := range s.targets {
		if err := t.write(disk); err != nil {
			return fmt.Errorf("write %s: %w", t.Name, err)
		}
	}
	if len(s.targets) > 1 {
		if err := disk.Remove(JournalOf(s.tree)); err != nil {
			return fmt.Errorf("remove the journal: %w", err)
		}
	}
	return nil
}

func (t target) write(disk durable.Disk) error {
	removeLeftovers(t.path)
	if t.After == nil {
		return disk.Remove(t.path)
	}
	return durable.Write(disk, t.path, temporary(t.path), t.mode, t.After)
}

// temporary is the pattern for the temporary names of a file that is being written.
func temporary(path string) string { return "." + filepath.Base(path) + ".goldenarch-*.tmp" }

// removeLeftovers removes the temporary files that a killed process left.
func removeLeftovers(path string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, entry := range entries {
		if is, err := filepath.Match(temporary(escaped(path)), entry.Name()); err == nil && is && entry.Type().IsRegular() {
			_ = os.Remove(filepath.Join(filepath.Dir(path), entry.Name()))
		}
	}
}

// escaped returns a path as a pattern that matches only that path.
func escaped(path string) string {
	var out []rune
	for _, r := range filepath.Base(path) {
		if r == '*' || r == '?' || r == '[' || r == '\\' {
			out = append(out, '\\')
		}
		out = append(out, r)
	}
	return string(out)
}

// errNotWhole is the error of a journal that goldenarch did not write.
var errNotWhole = errors.New("it is not a journal of goldenarch: remove or rename it")
