// Package shape describes in the words of YAML why a decoder rejects a value. The errors of
// encoding/json name Go types and Go fields. Users write objects, lists, strings and
// numbers, and want to know where the error is.
//
// The package is pure: no network, no files, no clock, no environment.
package shape
