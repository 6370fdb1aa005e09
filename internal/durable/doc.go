// Package durable writes files that are whole whatever happens: a reader sees the
// old file or the new one, and the new one outlasts a crash of the machine. The
// text goes to a temporary file beside it, which takes its name when all of it is
// on the disk.
package durable
