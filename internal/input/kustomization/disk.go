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

// disk is the file system. It records which files were read, and the findings about them.
type disk struct {
	filesys.FileSystem

	library *Library // nil for reading only
	budget  regular.Budget
	read    map[string][]byte
	found   finding.List
	// refused is why disk refused the first file. kustomize's library may report the error
	// as another one.
	refused error
	instead map[string][]byte  // the texts that replace those of files, by path
	built   map[string]listing // the results of builds of directories of configurations
	layers  map[string]*layer  // the sources of directories

	generates bool              // the caller runs generators
	generated map[string][]byte // what they emit, by their keys
	missing   []Step            // those that have not run

	locks    bool   // an empty lock replaces one that does not exist
	lockFile string // the lock that the user names
	noLock   string // a lock that a kustomization lists and that does not exist

	builtOnce map[string]bool // the directories with a kustomization that kustomize has built
	repeated  int             // the number of repeated builds of such directories
	bytesRead atomic.Int64    // the number of bytes read
	abandoned atomic.Bool     // nobody waits for the result of the build
}

func newDisk() *disk {
	return &disk{
		FileSystem: filesys.MakeFsOnDisk(),
		read:       map[string][]byte{},
		built:      map[string]listing{},
		layers:     map[string]*layer{},
		builtOnce:  map[string]bool{},
	}
}

// ReadFile implements [filesys.FileSystem].
func (d *disk) ReadFile(path string) ([]byte, error) {
	if d.abandoned.Load() {
		return nil, errAbandoned
	}
	if d.refused != nil {
		return nil, d.refused
	}
	if d.library.isOutside(path) {
		return nil, d.refuse(fmt.Errorf("%s: %w, and its root is %s; copy the file into the repository", filepath.ToSlash(path), errOutside, d.library.Root))
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
		// kustomize's library itself reports the operating system's errors about a path.
		if _, isPath := errors.AsType[*fs.PathError](err); !isPath && !d.IsDir(path) {
			err = d.refuse(err)
		}
		return nil, err
	}
	d.bytesRead.Add(int64(len(data)))
	d.read[path] = data
	return data, nil
}

// CleanedAbs implements [filesys.FileSystem]. It finds a file with a replaced text even if
// the file does not exist.
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

// refuse records why the build cannot continue, and returns the recorded error.
func (d *disk) refuse(err error) error {
	if d.refused == nil {
		d.refused = err
	}
	return d.refused
}

// errWrites is the error for each attempt of the library to change files.
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

// Open implements [filesys.FileSystem]. It fails, because it would not limit the size.
func (*disk) Open(string) (filesys.File, error) { return nil, errOpens }

var errOpens = errors.New("kustomize's library reads whole files here")

// note records a finding once, because kustomize reads some files twice.
func (d *disk) note(f finding.Finding) {
	if !slices.Contains(d.found, f) {
		d.found = append(d.found, f)
	}
}
