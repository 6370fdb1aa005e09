// Package write is the writer of the user's files: everything that a verb writes goes
// through it. A [Tree] is the directory that a run may write in. [Tree.Prepare] checks all
// changes of a run before the first one, and [Set.Commit] makes all of them or none. It
// writes all texts to temporary files first, then renames them, and on an error puts the
// old texts back.
//
// A journal keeps the texts of several files while they are renamed, so that
// [Tree.Recover] can finish a run that was killed, and [Tree.Abort] can undo it. The
// journal is never in the tree, where somebody else may have written it.
package write
