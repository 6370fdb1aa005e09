package layout

import (
	"bytes"
	"fmt"
	"path/filepath"
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
	old, err := regular.ReadUpTo(filepath.Join(r.dir, name), int64(len(content)))
	if err == nil && bytes.Equal(old, content) {
		return nil
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
	old, err := regular.ReadUpTo(filepath.Join(r.dir, indexFile), int64(len(text)))
	if err == nil && bytes.Equal(old, text) {
		return nil
	}
	return r.write(indexFile, text)
}

// temporary begins the names of the temporary files of earlier versions.
const temporary = ".goldenarch-"

// write writes a file of the layout.
func (r *Recording) write(name string, content []byte) error {
	return write.OutputBelow(r.disk, r.dir, name, content)
}
