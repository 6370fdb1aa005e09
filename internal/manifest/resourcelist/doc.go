// Package resourcelist runs a KRM function on a ResourceList.
//
// [Lazy.Execute] does what kyaml's framework.Execute does, with one addition. It writes an item
// that the function does not change byte for byte as it read it, with its comments,
// indentation and empty annotations. A function on kyaml spends most of its time on
// encoding, so this also makes large lists fast.
//
// The package cuts the text into its items, and reads each item by itself (read.go). A list that
// cannot be cut is read as a whole, and the text of an item is then its encoding. What the function
// changes is an edit of the item's text (write.go).
package resourcelist
