package files

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
)

// ErrNotRegular is the error for anything that is not a regular file.
var ErrNotRegular = errors.New("it is not a regular file")

// Read reads a file of at most [Limit] bytes. The error names the file.
func Read(name string) ([]byte, error) { return read(name, ofProcess()) }

// ReadUpTo reads a file of at most limit bytes. The error names the file. It wraps
// [fs.ErrNotExist], [ErrNotRegular] or [ErrTooLarge] if one of them applies.
func ReadUpTo(name string, limit int64) ([]byte, error) { return read(name, sizeLimit{bytes: limit}) }

func read(name string, most sizeLimit) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if isNull(info) {
		return []byte{}, nil
	}
	// Opening a device may have effects, so read checks the file before it opens it. The
	// name may refer to another file afterwards, so readAndClose checks it again.
	if err := usable(name, info, most); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	return readAndClose(name, f, most)
}

// ReadIn reads a file of at most [Limit] bytes in a directory, through any links inside
// that directory.
func ReadIn(root *os.Root, name string) ([]byte, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := usable(name, info, ofProcess()); err != nil {
		return nil, err
	}
	f, err := root.OpenFile(name, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	return readAndClose(name, f, ofProcess())
}

func readAndClose(name string, f *os.File, most sizeLimit) ([]byte, error) {
	defer func() { _ = f.Close() }() // goldenarch only reads it
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := usable(name, info, most); err != nil {
		return nil, err
	}
	if isOfKernel(f) {
		return nil, fmt.Errorf("read %q: %w, but a file of the kernel: pass what it gives on standard input", name, ErrNotRegular)
	}
	return upTo(name, f, most, info.Size())
}

// usable returns an error if goldenarch cannot read a file.
func usable(name string, info fs.FileInfo, most sizeLimit) error {
	switch {
	case info.IsDir():
		return fmt.Errorf("read %q: it is a directory: %w", name, ErrNotRegular)
	case !info.Mode().IsRegular():
		return fmt.Errorf("read %q: %w, but a device, a pipe or a socket: pass what it gives on standard input", name, ErrNotRegular)
	case info.Size() > most.bytes:
		return fmt.Errorf("read %q: %w", name, most.tooLarge())
	}
	return nil
}

// isNull reports whether a file is /dev/null, which people use as an empty file.
func isNull(info fs.FileInfo) bool {
	if info.Mode().IsRegular() {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(info, null)
}

// ReadStream reads a stream of at most [Limit] bytes: standard input may be a pipe.
func ReadStream(name string, r io.Reader) ([]byte, error) { return upTo(name, r, ofProcess(), 0) }

// upTo reads a stream of probably this size. A file may grow during the read.
func upTo(name string, r io.Reader, most sizeLimit, size int64) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(int(size) + bytes.MinRead)
	if _, err := out.ReadFrom(limited(r, most)); err != nil {
		return nil, fmt.Errorf("read %q: %w", name, err)
	}
	return out.Bytes(), nil
}

// Reader returns a stream that returns an error after [Limit] bytes.
func Reader(r io.Reader) io.Reader { return limited(r, ofProcess()) }

func limited(r io.Reader, most sizeLimit) io.Reader {
	return &reader{from: r, left: most.bytes, sizeLimit: most}
}

type reader struct {
	from      io.Reader
	left      int64
	sizeLimit sizeLimit
}

// Read implements [io.Reader].
func (r *reader) Read(p []byte) (int, error) {
	if int64(len(p)) > r.left+1 {
		p = p[:r.left+1]
	}
	n, err := r.from.Read(p)
	if r.left -= int64(n); r.left < 0 {
		return 0, r.sizeLimit.tooLarge()
	}
	return n, err
}

// DefaultLimit is the maximum size of a file, and of the standard input, unless the user sets
// another limit. A dump of 3,000 nodes is smaller.
const DefaultLimit = 64 << 20

// LimitFlag is the flag that raises the limit.
const LimitFlag = "max-file-size"

// ErrTooLarge is the error for a file or a stream beyond its limit.
var ErrTooLarge = errors.New("it is too large")

// limit is how many bytes the process reads of one file at most; 0 is the default. Like the
// memory, it belongs to the machine that runs goldenarch, and not to one run.
var limit atomic.Int64

// Limit returns how many bytes goldenarch reads of one file at most.
func Limit() int64 { return cmp.Or(limit.Load(), DefaultLimit) }

// LimitValue is the limit of the process as a flag.
type LimitValue struct{}

// String implements pflag.Value.
func (LimitValue) String() string { return written(Limit()) }

// Type implements pflag.Value.
func (LimitValue) Type() string { return "size" }

// Set implements pflag.Value. It takes a number of bytes, or one of KiB, MiB or GiB:
// 1048576, 1024Ki, 100Mi, 1Gi.
func (LimitValue) Set(text string) error {
	digits, unit := text, int64(1)
	for i, suffix := range units {
		if rest, ok := strings.CutSuffix(text, suffix); ok {
			digits, unit = rest, 1<<(10*(i+1))
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > largest/unit {
		return fmt.Errorf("expected a number of bytes from 1 to 1024Gi, such as 100Mi or 1Gi")
	}
	limit.Store(n * unit)
	return nil
}

var units = []string{"Ki", "Mi", "Gi"}

// largest is the largest limit: with it, no sum of sizes overflows.
const largest = 1 << 40

// written returns a size as people write it.
func written(size int64) string {
	unit := ""
	for _, next := range units {
		if size%1024 != 0 {
			break
		}
		size, unit = size/1024, next
	}
	return strconv.FormatInt(size, 10) + unit
}

// sizeLimit is how many bytes goldenarch reads at most.
type sizeLimit struct {
	bytes int64
	raise bool // the user can raise it with the flag
}

func ofProcess() sizeLimit { return sizeLimit{bytes: Limit(), raise: true} }

// tooLarge returns the error that something is larger than its limit, with the fix.
func (m sizeLimit) tooLarge() error {
	if !m.raise {
		return fmt.Errorf("%w: expected at most %s", ErrTooLarge, written(m.bytes))
	}
	return fmt.Errorf("%w: expected at most %s; raise the limit with --%s", ErrTooLarge, written(m.bytes), LimitFlag)
}

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
	if err := b.countFile(name); err != nil {
		return nil, err
	}
	data, err := Read(name)
	if err != nil {
		return nil, err
	}
	if err := b.countBytes(name, len(data)); err != nil {
		return nil, err
	}
	return data, nil
}

// Again counts a file of a size in bytes that the caller has kept, and gives to its reader once
// more: the reader copies it as if it came from the disk. It fails as Read does.
func (b *Budget) Again(name string, size int) error {
	if err := b.countFile(name); err != nil {
		return err
	}
	return b.countBytes(name, size)
}

func (b *Budget) countFile(name string) error {
	if b.files++; b.files > MaxFiles {
		return fmt.Errorf("read %q: %w: it would be more than %d, counted as often as each is read; name a smaller directory", name, ErrTooMany, MaxFiles)
	}
	return nil
}

func (b *Budget) countBytes(name string, size int) error {
	together := sizeLimit{bytes: 4 * Limit(), raise: true}
	if b.bytes += int64(size); b.bytes > together.bytes {
		return fmt.Errorf("read %q and what was read before it: %w", name, together.tooLarge())
	}
	return nil
}
