package kustomization

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync/atomic"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/regular"
)

// disk is the file system, and remembers what was read of it, and what there is to
// tell of that.
type disk struct {
	filesys.FileSystem

	budget regular.Budget
	read   map[string][]byte
	found  finding.List
	// refused is why the first file was not given to kustomize's library, which
	// may take the error for something else.
	refused error
	instead map[string][]byte  // texts of files that are to be, by path
	built   map[string]listing // what directories of configurations are built to
	layers  map[string]*layer  // what directories are built from

	locks    bool   // an empty lock is in the place of one that does not exist
	lockFile string // the lock that the user names
	missing  string // a lock that is listed and does not exist

	builtOnce map[string]bool // the directories with a kustomization that were built
	repeated  int             // how often one of them was built once more
	bytesRead atomic.Int64    // how many bytes were read
	abandoned atomic.Bool     // nobody waits for what is built
}

func newDisk() *disk {
	return &disk{FileSystem: filesys.MakeFsOnDisk(), read: map[string][]byte{}, built: map[string]listing{}, layers: map[string]*layer{}, builtOnce: map[string]bool{}}
}

// ReadFile implements [filesys.FileSystem].
func (d *disk) ReadFile(path string) ([]byte, error) {
	if d.abandoned.Load() {
		return nil, errAbandoned
	}
	if d.refused != nil {
		return nil, d.refused
	}
	data, is := d.instead[path]
	var err error
	if !is {
		data, err = d.budget.Read(path)
	}
	if errors.Is(err, fs.ErrNotExist) && d.locks && d.isMissingLock(path) {
		data, err = lock.Empty(), nil
	}
	if err == nil && d.read[path] == nil {
		if err = bound.Text(data); err != nil {
			err = fmt.Errorf("%s: %w", filepath.ToSlash(path), err)
		}
	}
	if err != nil {
		// What the operating system says of a name, kustomize's library says too.
		if _, isPath := errors.AsType[*fs.PathError](err); !isPath && !d.IsDir(path) {
			err = d.refuse(err)
		}
		return nil, err
	}
	d.bytesRead.Add(int64(len(data)))
	d.read[path] = data
	return data, nil
}

// CleanedAbs implements [filesys.FileSystem]. A file that is to be is there.
func (d *disk) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	dir, file, err := d.FileSystem.CleanedAbs(path)
	if err == nil {
		return dir, file, nil
	}
	above, rest, failed := d.FileSystem.CleanedAbs(filepath.Dir(path))
	if name := filepath.Base(path); failed == nil && rest == "" && d.instead[above.Join(name)] != nil {
		return above, name, nil
	}
	if dir, file, is := d.atMissingLock(path); is {
		return dir, file, nil
	}
	return dir, file, err
}

// refuse notes why the build cannot go on, and returns what it notes.
func (d *disk) refuse(err error) error {
	if d.refused == nil {
		d.refused = err
	}
	return d.refused
}

// errWrites is the error of whoever would have the library change files.
var errWrites = errors.New("kustomize's library does not write files here")

// Create implements [filesys.FileSystem].
func (*disk) Create(string) (filesys.File, error) { return nil, errWrites }

// Mkdir implements [filesys.FileSystem].
func (*disk) Mkdir(string) error { return errWrites }

// MkdirAll implements [filesys.FileSystem].
func (*disk) MkdirAll(string) error { return errWrites }

// RemoveAll implements [filesys.FileSystem].
func (*disk) RemoveAll(string) error { return errWrites }

// WriteFile implements [filesys.FileSystem].
func (*disk) WriteFile(string, []byte) error { return errWrites }

// Open implements [filesys.FileSystem]: it would give a file without a limit.
func (*disk) Open(string) (filesys.File, error) { return nil, errOpens }

var errOpens = errors.New("kustomize's library reads whole files here")

// note notes a finding, once: kustomize reads some files twice.
func (d *disk) note(f finding.Finding) {
	if !slices.Contains(d.found, f) {
		d.found = append(d.found, f)
	}
}
