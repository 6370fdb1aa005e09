// Package hostile runs the program on what somebody wrote to hurt the one who
// runs it, and holds each run to what is promised of all of them: it ends in
// time, stays within its memory, exits with a status of its own, crashes
// nowhere, and a second run gives the same. The tests beside it have one case a
// line; docs/dev/promises.md names them.
package hostile
