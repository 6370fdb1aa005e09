// Package fieldpath writes and reads where in YAML a field is: the steps that lead to it, which are
// the keys of objects and the indexes of lists.
//
// Findings name a field as Kubernetes does, such as spec.list[2].annotations[a.b/c] ([Of], [Steps]).
// The value of --cr-path has the form that its users know from yq and from helm's --set, with keys
// in quotes, or is a JSON pointer (RFC 6901), and begins with a file ([ParsePlace], [Quoted]).
//
// The package is pure: no network, no files, no clock, no environment.
package fieldpath
