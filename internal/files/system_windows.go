package files

import "io/fs"

// This system has no pipes with names in directories, and no flag to follow no link.
const nonblocking, noFollowOrWait = 0, 0

// ownerOf reports no owner: this system has no user and group numbers.
func ownerOf(fs.FileInfo) (uid, gid int, ok bool) { return 0, 0, false }

// replaceable accepts every file: this system does not report how many names a file has.
func replaceable(fs.FileInfo) error { return nil }
