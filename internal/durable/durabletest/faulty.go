package durabletest

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/goldenarch/goldenarch/internal/durable"
)

// ErrDisk is the error of a full disk.
var ErrDisk error = syscall.ENOSPC

// Steps returns the steps of writing a file, in their order; each can fail.
func Steps() []string {
	return []string{"create", "write", "chmod", "sync", "close", "rename", "sync directory"}
}

// Faulty returns a disk that fails at one of the [Steps], but succeeds the first "after"
// times. A step of "" never fails.
func Faulty(step string, after int) durable.Disk {
	return &disk{at: step, left: after}
}

// Owned returns a disk that records the owner that each file is given. It can refuse to
// change the owner, as a system does for all users but root.
func Owned(refuse bool, given *[][2]int) durable.Disk {
	return &disk{refuse: refuse, given: given}
}

type disk struct {
	durable.System

	refuse bool
	given  *[][2]int

	at   string // "" for none
	left int
}

func (d *disk) fail(step string) error {
	if d.at != step {
		return nil
	}
	if d.left--; d.left >= 0 {
		return nil
	}
	return ErrDisk
}

// Create implements [durable.Disk].
func (d *disk) Create(dir, pattern string) (durable.File, error) {
	if err := d.fail("create"); err != nil {
		return nil, err
	}
	f, err := d.System.Create(dir, pattern)
	return file{f, d}, err
}

// Rename implements [durable.Disk].
func (d *disk) Rename(from, to string) error {
	if err := d.fail("rename"); err != nil {
		return err
	}
	return d.System.Rename(from, to)
}

// Sync implements [durable.Disk].
func (d *disk) Sync(dir string) error {
	return errors.Join(d.fail("sync directory"), d.System.Sync(dir))
}

type file struct {
	durable.File

	disk *disk
}

// Write writes half of the text and then fails, as on a full disk.
func (f file) Write(data []byte) (int, error) {
	if err := f.disk.fail("write"); err != nil {
		n, _ := f.File.Write(data[:len(data)/2])
		return n, err
	}
	return f.File.Write(data)
}

// Chmod implements [durable.File].
func (f file) Chmod(mode fs.FileMode) error {
	return errors.Join(f.disk.fail("chmod"), f.File.Chmod(mode))
}

// Chown implements [durable.File].
func (f file) Chown(uid, gid int) error {
	if f.disk.given == nil {
		return f.File.Chown(uid, gid)
	}
	*f.disk.given = append(*f.disk.given, [2]int{uid, gid})
	if f.disk.refuse {
		return fs.ErrPermission
	}
	return nil
}

// Sync implements [durable.File].
func (f file) Sync() error { return errors.Join(f.disk.fail("sync"), f.File.Sync()) }

// Close implements [durable.File].
func (f file) Close() error { return errors.Join(f.File.Close(), f.disk.fail("close")) }
