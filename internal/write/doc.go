// Package write is the writer of the user's files: everything that a verb writes goes
// through it. A [Tree] is the directory that a run may write in. [Tree.Prepare] checks all
// changes of a run before the first one, and [Set.Commit] makes all of them or none. It
// writes all texts to temporary files first, then renames them, and on an error puts the
// old texts back.
//
// Git is the way back from a run. So a commit says which texts Git does not have. A process
// that is killed leaves whole files, and perhaps temporary ones, which the next commit removes.
package write
