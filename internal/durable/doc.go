// Package durable writes files so that they are always complete. A reader sees the old file
// or the new one, and the new one survives a crash of the machine. [Dir.Stage] writes a text
// to a temporary file in the directory of its target, and [Dir.Rename] puts it in the place
// of the target when all of it is on the disk.
//
// A [Dir] is an open directory, and all names are entries of it. Nobody can redirect a
// write by replacing a directory with a link meanwhile.
package durable
