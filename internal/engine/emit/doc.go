// Package emit merges the objects that templates expand to into the items. It adds new
// objects, updates those of an earlier run, and removes those that no template expands
// to any more. Each object has its own file in the package.
package emit
