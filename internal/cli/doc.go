// Package cli is the command line, with one file for each verb. Without a verb
// goldenarch is a KRM function: it reads a ResourceList from standard input.
//
// Standard output contains only the product. Findings go to standard error, one on each
// line. The exit status is 0 for success, 1 for an error finding or a failure, and 2
// for misuse.
package cli
