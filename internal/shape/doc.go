// Package shape says in the words of YAML what a decoder refused. The errors of
// encoding/json name Go types and Go fields; a user has written objects, lists,
// strings and numbers, and wants to know where.
//
// The package is pure: no network, no files, no clock, no environment.
package shape
