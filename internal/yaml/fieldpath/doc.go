// Package fieldpath writes and reads the path of a field as findings name it, such as
// spec.list[2].annotations[a.b/c].
//
// The package is pure: no network, no files, no clock, no environment.
package fieldpath
