package layout

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/durable"
	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/internal/write"
)

// Recording adds to a layout. Close updates the index; until then, and after a failure, the
// index stays unchanged. A Recording is safe for use by many goroutines. Several processes
// may record to one directory at the same time: each locks the index during the update.
type Recording struct {
	dir  string
	disk durable.Faults // nil but in tests

	mu      sync.Mutex
	kept    map[string]bool // the digests of the blobs that Put has written
	entries map[string]Entry
	err     error // the first failure; after it the Recording adds nothing
	closed  bool
}

// Record begins to add to the layout in a directory, and makes the directory if it does not
// exist. The error names the directory: it is not writable, or contains something that is
// not a layout.
func Record(dir string) (*Recording, error) { return record(dir, nil) }

func record(dir string, to durable.Faults) (*Recording, error) {
	r := &Recording{dir: dir, disk: to, kept: map[string]bool{}, entries: map[string]Entry{}}
	if err := r.begin(); err != nil {
		return nil, r.failed(err)
	}
	return r, nil
}

// Put stores content under its digest at once. It keeps the content even if the run fails
// later. Close returns the error.
func (r *Recording) Put(digest string, content []byte) {
	r.mu.Lock()
	done := r.closed || r.err != nil || r.kept[digest]
	r.mu.Unlock()
	if done {
		return
	}
	if err := r.put(digest, content); err != nil {
		r.Fail(err)
		return
	}
	r.mu.Lock()
	r.kept[digest] = true
	r.mu.Unlock()
}

// Add makes the index name a stored manifest, in place of the entry with the same name.
func (r *Recording) Add(e Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries[e.Name] = e
}

// Fail stops the Recording. Close returns the first error.
func (r *Recording) Fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = r.failed(err)
	}
}

// Close makes the index name the added manifests, and returns the first failure. After a
// failure the index stays unchanged. A second Close does nothing more.
func (r *Recording) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed && r.err == nil && len(r.entries) > 0 {
		if err := r.locked(r.commit); err != nil {
			r.err = r.failed(err)
		}
	}
	r.closed = true
	return r.err
}

func (r *Recording) failed(err error) error { return fmt.Errorf("record to %q: %w", r.dir, err) }

func (r *Recording) put(digest string, content []byte) error {
	name, err := blobName(digest)
	if err != nil {
		return err
	}
	if !hasDigest(content, digest) {
		return fmt.Errorf("%s: %w", digest, ErrDamaged)
	}
	return r.write(name, content)
}

// commit reads the current index, adds the entries, and writes it.
func (r *Recording) commit() error {
	x, err := open(r.dir)
	if err != nil {
		return err
	}
	if x, err = x.withEntries(r.entries); err != nil {
		return err
	}
	text, err := x.bytes()
	if err != nil {
		return err
	}
	return r.write(indexFile, text)
}

// temporary begins the names of the temporary files of earlier versions.
const temporary = ".goldenarch-"

// write writes a file of the layout, unless it has this content already.
func (r *Recording) write(name string, content []byte) error {
	old, err := regular.ReadUpTo(filepath.Join(r.dir, name), int64(len(content)))
	if err == nil && bytes.Equal(old, content) {
		return nil
	}
	return write.OutputBelow(r.disk, r.dir, name, content)
}

// begin makes sure that a layout exists and is writable.
func (r *Recording) begin() error {
	if err := write.CheckOutput(r.dir); err != nil {
		return err
	}
	files, err := os.ReadDir(r.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	fresh := true
	for _, file := range files {
		switch name := file.Name(); {
		case name == markerFile:
			fresh = false
		case name == "blobs", name == indexFile, durable.IsTemporary(name), strings.HasPrefix(name, temporary), name == filepath.Base(durable.LockName(indexFile)):
			// An interrupted run left these files at its start, or another run starts at
			// this moment.
		default:
			err = fmt.Errorf("it is neither empty nor an OCI image layout: it has %q: name a new directory", name)
		}
	}
	if !fresh {
		return r.resume()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return err
	}
	if err := write.MakeBelow(r.dir, filepath.Join("blobs", "sha256")); err != nil {
		return err
	}
	return r.locked(func() error {
		if err := r.beginIndex(); err != nil {
			return err
		}
		// From now on the directory is a layout.
		return r.write(markerFile, []byte(`{"imageLayoutVersion":"`+version+`"}`+"\n"))
	})
}

// locked keeps other processes from the index during a read and write.
func (r *Recording) locked(change func() error) error {
	unlock, err := durable.Lock(filepath.Join(r.dir, indexFile))
	if err != nil {
		return err
	}
	defer unlock()
	return change()
}

// beginIndex makes an empty index.
func (r *Recording) beginIndex() error {
	data, err := regular.ReadUpTo(filepath.Join(r.dir, indexFile), indexLimit)
	if err == nil {
		_, err = parseIndex(data)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := newIndex().bytes()
	if err != nil {
		return err
	}
	return r.write(indexFile, text)
}

// resume checks a layout before this process adds to it.
func (r *Recording) resume() error {
	if _, err := open(r.dir); err != nil {
		return err
	}
	dir, err := durable.OpenDir(r.dir, r.disk)
	if err != nil {
		return err
	}
	temporary, err := dir.Stage(indexFile, nil, durable.Usual)
	switch {
	case err == nil:
		err = dir.Remove(temporary)
	case errors.Is(err, durable.ErrReplaced):
		err = nil // another run has just written it
	}
	return errors.Join(err, dir.Close())
}
