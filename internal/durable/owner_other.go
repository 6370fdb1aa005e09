//go:build !unix

package durable

// ownerOf reports no owner: this system has no user and group numbers.
func ownerOf(string) (uid, gid int, ok bool) { return 0, 0, false }
