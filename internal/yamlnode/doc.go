// Package yamlnode reads and edits single YAML nodes in place. kyaml's own filters
// drop the comments of a field that they replace.
//
// A null is the same as nothing. An edit that changes nothing leaves the bytes of
// the node as they are.
//
// The package is pure: no network, no files, no clock, no environment.
package yamlnode
