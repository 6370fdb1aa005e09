// Package english has nothing but tests: they keep the texts that people read in
// plain English. They look at the Markdown pages and at the text of the command line
// (findings, errors, help and reports: the string literals of the program). Comments
// of the code are ordinary godoc, and no test judges their words.
//
// A rule is a pattern, and the words to use instead. Vale does the same for pages,
// but it reads no string literals of Go, and these are most of what users see.
package english
