// Package transformers writes a plan into a HyperConverged CR. Each edit has its own
// file: architectures (the declared ones), enable (the switch), gate, placement and
// defaults.
//
// An edit changes only its own fields: comments, order, quoting and everything that is
// not goldenarch's stay. Applying the same edit again changes nothing.
//
// The package is pure: no network, no files, no clock, no environment.
package transformers
