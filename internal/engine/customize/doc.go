// Package customize decides what a person's customization of one template changes in a
// CR: which entry it edits or adds, and what it copies from the predefined template.
//
// The package is pure: no network, no files, no clock, no environment.
package customize
