// Package regular reads files that somebody else may have written: regular files
// only, and nothing beyond a limit. A name in a repository may lead to a device
// without an end, to a pipe that nobody writes to, or to more than the machine
// has memory for. Whatever goldenarch reads, it reads through this package;
// internal/purity holds every package to it.
package regular
