// Package frozen contains only tests. They run the current program over a repository that
// an earlier one left behind, as its users have it: no command may find a difference there,
// lose what goldenarch owns, or touch what a person wrote, unless the changelog names it.
//
//   - testdata/source is the repository before goldenarch: hand-written files, and in answers
//     an OCI image layout that answers for the registries.
//   - testdata/repository is what the program of commit 0c732c6d made of it (steps_test.go).
//   - testdata/expected is what that program said of each command of commands_test.go and ownership_test.go.
//   - testdata/allowed is what the current program says where that differs, and allowed_test.go
//     names the line of CHANGELOG.md that announces it.
//
// make.sh writes repository and expected, with a program of commit 0c732c6d and no other. The
// current program never writes them. To add a command or a file, add it to the table, run
// make.sh, and read what changed.
//
// To allow a difference, run
//
//	go test ./test/frozen -got DIR
//
// read the files that it writes into DIR, copy those that are intended into testdata/allowed,
// and add an entry to allowed_test.go.
package frozen
