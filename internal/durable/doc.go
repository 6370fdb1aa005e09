// Package durable writes files so that they are always complete. A reader sees the old file
// or the new one, and the new one survives a crash of the machine. Package durable writes
// the text to a temporary file in the same directory, and renames that file when all of it
// is on the disk.
package durable
