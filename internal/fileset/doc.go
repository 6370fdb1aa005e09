// Package fileset replaces several files as one step. It replaces each file as a whole and
// keeps its mode and owner. [Prepare] checks all files before the first change: a file that
// another program has changed meanwhile, a hard link, or a link out of the tree is an
// error. A journal keeps the new texts during the write, so that [Recover] can finish a run
// that was killed.
package fileset
