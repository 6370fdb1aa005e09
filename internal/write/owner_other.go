//go:build !unix

package write

import "io/fs"

// replaceable fails for a file that has several names: replacing one would separate it from
// the others. This system does not report the number of names, so replaceable accepts every
// file.
func replaceable(fs.FileInfo) error { return nil }

// isOurs reports whether a file belongs to the caller. On this system the journal is in a
// directory of the user's profile or of the repository, whose permissions decide that.
func isOurs(fs.FileInfo) bool { return true }

// isPrivate reports whether only the owner of a file may read and write it.
func isPrivate(fs.FileInfo) bool { return true }
