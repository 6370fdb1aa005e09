// Package files reads and writes files safely, says where a path leads, and what Git has of it.
//
// Reading: only regular files, up to a limit, since somebody else may have written them. A name
// in a repository may lead to an infinite device, or to a pipe without a writer. It may also
// lead to a file that is larger than the machine's memory. goldenarch reads all its files
// through this package; internal/archtest enforces that for every package.
//
// One file: a [Dir] writes files so that they are always complete. A reader sees the old file
// or the new one, and the new one survives a crash of the machine. [Dir.Stage] writes a text
// to a temporary file in the directory of its target, and [Dir.Rename] puts it in the place
// of the target when all of it is on the disk. A [Dir] is an open directory, and all names are
// entries of it. Nobody can redirect a write by replacing a directory with a link meanwhile.
//
// Files of the user: everything that a verb writes goes through a [Tree], the directory that a
// run may write in. [Tree.Prepare] checks all changes of a run before the first one, and
// [ChangeSet.Commit] makes all of them or none. It writes all texts to temporary files first,
// then renames them, and on an error puts the old texts back. Git is the way back from a run. So
// a commit says which texts Git does not have. A process that is killed leaves whole files, and
// perhaps temporary ones, which the next commit removes.
//
// Git: [GitTop] finds the work tree of a path, and [ExportCommit] copies the files of a commit out of
// its repository. It starts git, as a commit does that asks what Git's index has of files, with
// settings that let the repository run no program and fetch nothing.
package files
