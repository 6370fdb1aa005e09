// Package console is the one place through which everything shown goes: standard output,
// standard error and Go's logger. Products that programs read keep their bytes. All other
// text is made safe to show, whoever wrote it: a verb, cobra, kustomize, net/http.
//
// What makes texts of others safe ([SafeLine], [SafeLines], [Escape], [Redact]) escapes what
// steers a terminal or breaks a line, breaks the commands of CI systems, and hides credentials.
// Names of files and objects, values of manifests and answers of servers pass it before they
// are part of a message, a report or a result. [Wrap] and [Table] lay out texts for a screen
// of a width. These functions touch nothing outside the process.
package console
