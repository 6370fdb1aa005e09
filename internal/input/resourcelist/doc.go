// Package resourcelist runs a KRM function on a ResourceList.
//
// [Lazy.Execute] does what kyaml's framework.Execute does, with one addition. It writes an item
// that the function does not change byte for byte as it read it, with its comments,
// indentation and empty annotations. A function on kyaml spends most of its time on
// encoding, so this also makes large lists fast.
//
// The package cuts the text into its items by lines (split.go), reads each item with kyaml,
// and encodes the changed items with kyaml (write.go). If it cannot cut a list by lines,
// it encodes all of it, as framework.Execute does (lazy.go).
package resourcelist
