package regular

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrNotRegular is the error for anything that is not a regular file.
var ErrNotRegular = errors.New("it is not a regular file")

// Read reads a file of at most [Limit] bytes. The error names the file.
func Read(name string) ([]byte, error) { return read(name, ofProcess()) }

// ReadUpTo reads a file of at most limit bytes. The error names the file. It wraps
// [fs.ErrNotExist], [ErrNotRegular] or [ErrTooLarge] if one of them applies.
func ReadUpTo(name string, limit int64) ([]byte, error) { return read(name, most{bytes: limit}) }

func read(name string, most most) ([]byte, error) {
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

// ReadChecked reads a file of at most limit bytes that a check accepts. It checks the file
// that it reads, whatever its name means later, and follows no link.
func ReadChecked(name string, limit int64, check func(fs.FileInfo) error) ([]byte, error) {
	info, err := os.Lstat(name) // opening a device may have effects
	if err == nil {
		err = check(info)
	}
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|nonblocking|noFollow, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = check(info)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return readAndClose(name, f, most{bytes: limit})
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

func readAndClose(name string, f *os.File, most most) ([]byte, error) {
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
func usable(name string, info fs.FileInfo, most most) error {
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

// All reads a stream of at most [Limit] bytes: standard input may be a pipe.
func All(name string, r io.Reader) ([]byte, error) { return upTo(name, r, ofProcess(), 0) }

// upTo reads a stream. A file may grow during the read.
func upTo(name string, r io.Reader, most most, size int64) ([]byte, error) {
	data, err := readAll(io.LimitReader(r, most.bytes+1), int(size)+bytes.MinRead)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %q: %w", name, err)
	case int64(len(data)) > most.bytes:
		return nil, fmt.Errorf("read %q: %w", name, most.tooLarge())
	}
	return data, nil
}

// readAll reads a stream that is probably smaller than a guess. After the guess it reads
// into parts, because a growing buffer takes three times the memory of its content.
func readAll(r io.Reader, guess int) ([]byte, error) {
	const part = 1 << 20
	var parts [][]byte
	for {
		buffer := make([]byte, guess)
		n, err := io.ReadFull(r, buffer)
		parts = append(parts, buffer[:n])
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			if len(parts) == 1 {
				return parts[0], nil
			}
			return bytes.Join(parts, nil), nil
		case err != nil:
			return nil, err
		}
		guess = min(2*guess, part)
	}
}

// Reader returns a stream that returns an error after [Limit] bytes.
func Reader(r io.Reader) io.Reader { return limited(r, ofProcess()) }

func limited(r io.Reader, most most) io.Reader { return &reader{from: r, left: most.bytes, most: most} }

type reader struct {
	from io.Reader
	left int64
	most most
}

// Read implements [io.Reader].
func (r *reader) Read(p []byte) (int, error) {
	if int64(len(p)) > r.left+1 {
		p = p[:r.left+1]
	}
	n, err := r.from.Read(p)
	if r.left -= int64(n); r.left < 0 {
		return 0, r.most.tooLarge()
	}
	return n, err
}
