package regular

import (
	"errors"
	"fmt"
)

// MaxFiles is the maximum number of files that goldenarch reads from one directory that the
// user names.
const MaxFiles = 50_000

// ErrTooMany is the error for a directory with too many files, also if links cause that.
var ErrTooMany = errors.New("too many files")

// Budget limits what goldenarch reads for one directory that the user names, or for one
// build: at most [MaxFiles] files, with at most four times [Limit] bytes in total. With the
// zero value, goldenarch has read nothing yet.
type Budget struct {
	files int
	bytes int64
}

// Files returns how many files callers requested.
func (b *Budget) Files() int { return b.files }

// Read reads a file as [Read] does, as long as the budget is not exceeded. After that it
// fails. The error is [ErrTooLarge] if there are too many bytes.
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
