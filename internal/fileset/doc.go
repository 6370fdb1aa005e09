// Package fileset replaces several files as one step. Each file is replaced whole and
// keeps its mode and its owner. [Prepare] looks at all of them before the first is
// touched: a file that somebody has changed meanwhile, a hard link, or a link out of
// the tree is an error. A journal holds the new texts while they are written, so that
// after a kill [Recover] finishes what was begun.
package fileset
