// Package regular reads files that somebody else may have written. It reads only regular
// files, up to a limit. A name in a repository may lead to an infinite device, or to a pipe
// without a writer. It may also lead to a file that is larger than the machine's memory.
// goldenarch reads all its files through this package; internal/archtest enforces that for
// every package.
package regular
