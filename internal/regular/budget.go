package regular

import (
	"errors"
	"fmt"
)

// MaxFiles is how many files are read for one directory that the user names.
const MaxFiles = 50_000

// ErrTooMany is the error of a directory that has more files, or links that make it so.
var ErrTooMany = errors.New("too many files")

// Budget is what is read for one directory that the user names, or for one build:
// at most [MaxFiles] files, of at most four times [Limit] bytes together. The zero
// value has read nothing.
type Budget struct {
	files int
	bytes int64
}

// Files returns how many files were asked for.
func (b *Budget) Files() int { return b.files }

// Read reads a file as [Read] does, as long as the budget lasts. It fails from then
// on, and is [ErrTooLarge] if that is for the bytes.
func (b *Budget) Read(name string) ([]byte, error) {
	if b.files++; b.files > MaxFiles {
		return nil, fmt.Errorf("read %q: %w: it would be more than %d, counted as often as each is read; name a smaller directory", name, ErrTooMany, MaxFiles)
	}
	data, err := Read(name)
	if err != nil {
		return nil, err
	}
	together := most{bytes: 4 * Limit(), raise: true}
	if b.bytes += int64(len(data)); b.bytes > together.bytes {
		return nil, fmt.Errorf("read %q and what was read before it: %w", name, together.tooLarge())
	}
	return data, nil
}
