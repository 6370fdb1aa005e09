// Package emit puts the objects that templates expand to among the items: it adds them,
// brings those of an earlier run up to date, and removes those that no template expands
// to any more. Each has a file of its own in the package.
package emit
