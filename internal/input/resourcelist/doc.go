// Package resourcelist runs a processor of kyaml's framework on a ResourceList.
//
// [Execute] does what kyaml's framework.Execute does, and one thing more: an item
// that the function leaves alone goes out byte for byte as it came in, comments,
// indentation and empty annotations with it. Encoding is what a function on
// kyaml spends most of its time on, so this is also what makes a large list fast.
//
// The text is cut into its items by lines (split.go), each is read by kyaml
// (item.go), and what changed is encoded by it (write.go). A list that is
// written in a way that cannot be cut goes through framework.Execute (whole.go).
package resourcelist
