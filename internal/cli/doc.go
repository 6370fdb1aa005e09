// Package cli is the command line, one verb a file. Without a verb goldenarch
// is a KRM function: a ResourceList on standard input.
//
// Standard output carries only the product; findings go to standard error, one
// a line. The exit status is 0 if all is well, 1 for an error finding or a
// failure, 2 for misuse.
package cli
