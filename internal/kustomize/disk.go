package kustomize

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// disk is the file system. It records which files were read.
type disk struct {
	filesys.FileSystem

	library *Library
	request Request
	budget  files.Budget
	read    map[string][]byte
	// refused is why disk refused the first file. kustomize's library may report the error as
	// another one. The goroutine that waits for the library reads it, too.
	refused atomic.Pointer[error]
	instead map[string][]byte // the texts that replace those of files, by path

	isUnlocked bool // a kustomization lists a lock that does not exist

	builtOnce map[string]bool // the directories with a kustomization that kustomize has built
	repeated  int             // the number of repeated builds of such directories
	bytesRead atomic.Int64    // the number of bytes read
}

func newDisk(l *Library, request Request) *disk {
	out := &disk{
		FileSystem: filesys.MakeFsOnDisk(),
		library:    l,
		request:    request,
		read:       map[string][]byte{},
		instead:    map[string][]byte{},
		builtOnce:  map[string]bool{},
	}
	maps.Copy(out.instead, request.Texts)
	return out
}

// ReadFile implements [filesys.FileSystem]. A build sees each file as it was at first.
func (d *disk) ReadFile(path string) ([]byte, error) {
	if err := d.refusal(); err != nil {
		return nil, err
	}
	data := d.read[path]
	if data != nil {
		if err := d.budget.Again(path, len(data)); err != nil {
			return nil, d.refuse(err)
		}
	} else {
		var err error
		if data, err = d.first(path); err != nil {
			return nil, err
		}
		d.read[path] = data
	}
	d.bytesRead.Add(int64(len(data)))
	return data, nil
}

// first reads a file for the first time.
func (d *disk) first(path string) ([]byte, error) {
	if d.library.isOutside(path) {
		return nil, d.refuse(fmt.Errorf("%s: %w, and its root is %s; copy the file into the repository", filepath.ToSlash(path), errOutside, d.library.Root))
	}
	data, ok := d.instead[path]
	var err error
	if !ok {
		data, err = d.budget.Read(path)
	}
	if err == nil {
		if err = yamlnode.CheckText(data); err != nil {
			err = fmt.Errorf("%s: %w", filepath.ToSlash(path), err)
		}
	}
	// kustomize's library itself reports the operating system's errors about a path.
	if _, isPath := errors.AsType[*fs.PathError](err); err != nil && !isPath && !d.IsDir(path) {
		err = d.refuse(err)
	}
	return data, err
}

// CleanedAbs implements [filesys.FileSystem]. It finds a file with a replaced text even if
// the file does not exist.
func (d *disk) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	dir, file, err := d.FileSystem.CleanedAbs(path)
	isLock := err != nil && d.isMissingLock(path)
	if err == nil || len(d.instead) == 0 && !isLock {
		return dir, file, err
	}
	above, rest, failed := d.FileSystem.CleanedAbs(filepath.Dir(path))
	if failed != nil || rest != "" {
		return dir, file, err
	}
	name := filepath.Base(path)
	switch at := above.Join(name); {
	case d.instead[at] != nil:
	case isLock && d.request.ToLock:
		d.instead[at] = lock.Empty()
	default:
		d.isUnlocked = d.isUnlocked || isLock
		return dir, file, err
	}
	return above, name, nil
}

// isMissing reports whether there is nothing at a path, and no text in place of it. That takes
// one question; CleanedAbs asks about each directory on the way.
func (d *disk) isMissing(path string) bool {
	if len(d.instead) > 0 {
		return false
	}
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// refuse records why the build cannot continue, and returns the recorded error.
func (d *disk) refuse(err error) error {
	d.refused.CompareAndSwap(nil, &err)
	return d.refusal()
}

// refusal returns why the build cannot continue, nil if it can.
func (d *disk) refusal() error {
	if err := d.refused.Load(); err != nil {
		return *err
	}
	return nil
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

// Unlisted is a file that configures goldenarch, and the kind of the configuration.
type Unlisted struct{ File, Kind string }

// unlisted returns the files of the directory that configure goldenarch and that the build
// did not read. The author of such a file probably expects it to have an effect.
func (d *disk) unlisted() []Unlisted {
	names, err := manifest.FilesIn(d.request.Dir)
	if err != nil {
		return nil // the build has succeeded, and this check is optional
	}
	var out []Unlisted
	for _, file := range names {
		if path, err := files.Real(file); err == nil && d.read[path] != nil {
			continue // under any name
		}
		if kind := d.configurationIn(file); kind != "" {
			out = append(out, Unlisted{File: file, Kind: kind})
		}
	}
	return out
}

// configurationIn returns the kind of the first configuration in a file, "" for none.
func (d *disk) configurationIn(file string) string {
	data, err := d.budget.Read(file)
	if err != nil || !bytes.Contains(data, []byte(v1alpha1.GoldenImagesKind)) && !bytes.Contains(data, []byte(v1alpha1.WorkloadArchitecturesKind)) {
		return ""
	}
	items, err := manifest.Parse(file, data)
	if err != nil {
		return ""
	}
	for _, item := range items {
		if isGoldenImages(item) || isWorkloads(item) {
			return object.Ref(item).Kind
		}
	}
	return ""
}

// again counts the repeated builds of a directory, and fails if there are too many. A build of many
// directories may repeat more: each of its overlays uses the same few components.
func (d *disk) again(dir string) error {
	if !d.builtOnce[dir] {
		d.builtOnce[dir] = true
		return nil
	}
	if d.repeated++; d.repeated > maxRepeatedBuilds+maxRepeatsOfEach*len(d.builtOnce) {
		return d.refuse(errAgain)
	}
	return nil
}

// A kustomization may list the lock before "goldenarch lock" has written it. For that
// command, the build contains an empty lock instead. For any other command, the missing
// lock is an error that names "goldenarch lock".

// isMissingLock reports whether a path names a lock that does not exist.
func (d *disk) isMissingLock(path string) bool {
	if filepath.Base(path) != lock.FileName && (d.request.LockFile == "" || lock.Target(path) != lock.Target(d.request.LockFile)) {
		return false
	}
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// withCommand adds to the error of a build which command writes the missing lock.
func (d *disk) withCommand(err error) error {
	if !d.isUnlocked {
		return err
	}
	return fmt.Errorf("%w; to write the lock, run: %s", err, console.Command("goldenarch", "lock", console.CommandPath(d.request.Dir)))
}

const (
	// maxMemory is how much memory a build may use, in addition to that of memoryFactor.
	maxMemory = 192 << 20
	// memoryFactor is how much memory a build may use for each byte that it reads.
	// kustomize's library keeps several trees of each resource.
	memoryFactor = 64
	// maxRepeatedBuilds is how many repeated builds of directories are allowed, with
	// maxRepeatsOfEach more for each directory. Two overlays of one base in every layer double the
	// work each time.
	maxRepeatedBuilds = 500
	maxRepeatsOfEach  = 4
	// minLive is how much of that memory a garbage collection must have found in use.
	// Garbage does not count: a check of many clusters makes it beside the build.
	minLive = maxMemory / 4
	// readReportInterval is how many bytes a build reads between two calls of [Library.Read].
	readReportInterval = 1 << 20
	// memoryCheckInterval is the time between two checks of the memory.
	memoryCheckInterval = 2 * time.Millisecond
)

var (
	// ErrMemory is the error for a build that needs too much memory.
	ErrMemory = fmt.Errorf("the build needs more than %d MiB of memory and %d times what it reads: its replacements, patches or vars multiply what they copy; "+
		"build it first, with kustomize", maxMemory>>20, memoryFactor)
	errAgain = fmt.Errorf("the build repeats directories more than %d times and %d times each, because overlays of one base, or components, are stacked; "+
		"list each shared directory once", maxRepeatedBuilds, maxRepeatsOfEach)
)

// guarded calls a function that uses kustomize's library. It waits for the function until
// the build uses too much memory. Reading the files is not enough to predict that: a
// replacement, a patch or a var may double a field. goldenarch cannot stop the library. So
// after [ErrMemory], the function continues until the process ends.
func (d *disk) guarded(do func()) error {
	before := heapNow()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	ticker := time.NewTicker(memoryCheckInterval)
	defer ticker.Stop()
	reported := int64(0)
	for {
		select {
		case <-done:
			return nil
		case <-ticker.C:
		}
		if read := d.bytesRead.Load(); d.library.Read != nil && read > reported+readReportInterval {
			reported = read
			d.library.Read(read)
		}
		now := heapNow()
		most := before.objects + uint64(Memory(d.bytesRead.Load())) //nolint:gosec // a size is not negative
		if now.objects > most && (now.live > before.live+minLive || now.objects > 2*most) {
			if why := d.refusal(); why != nil { // kustomize quotes an error once more in each directory
				return fmt.Errorf("%w (%w)", why, ErrMemory)
			}
			return ErrMemory
		}
	}
}

// Memory returns how much memory a build may use that has read so many bytes.
func Memory(read int64) int64 { return maxMemory + memoryFactor*read }

// heap is how many bytes of memory objects use.
type heap struct {
	objects uint64 // with garbage
	live    uint64 // found by the last garbage collection
}

func heapNow() heap {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(samples)
	return heap{objects: samples[0].Value.Uint64(), live: samples[1].Value.Uint64()}
}
