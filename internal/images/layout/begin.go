package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/goldenarch/goldenarch/internal/durable"
	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/internal/write"
)

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
	x, err := open(r.dir)
	if err != nil {
		return err
	}
	if _, err := x.withEntries(nil); err != nil {
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
