// Package yamlnode reads, compares, copies and edits YAML nodes in place. kyaml's own
// filters drop the comments of a field that they replace.
//
// What reads follows aliases and merge keys ([Get], [Lookup], [Text], [At], [Line], [Fields]).
// What edits does not, because an edit of the target of an alias would change other places,
// too ([Value], [Field], [Put], [Pairs]). No other package walks the content of a mapping.
//
// A null is the same as nothing. An edit that changes nothing leaves the bytes of the node
// as they are.
//
// The package is pure: no network, no files, no clock, no environment.
package yamlnode
