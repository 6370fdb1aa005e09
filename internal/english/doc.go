// Package english has nothing but tests: they keep the texts that people read in
// plain English. They look at the Markdown pages, at the text of the command line
// (findings, errors, help and reports: the string literals of the program) and at
// the comments of the code.
//
// A rule is a pattern, and the words to use instead. Vale does the same for pages,
// but it reads no string literals of Go, and these are most of what users see.
package english
