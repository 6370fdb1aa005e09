// Package workspace is about the files of a repository: it finds the clusters in them, reads them, and runs the engine for one input or
// for all clusters at once. It says what is found, what a verb prints, and which files change. What a person states with flags or in a
// Fleet are plain values here, and nothing is printed.
package workspace
