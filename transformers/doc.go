// Package transformers writes a plan into a HyperConverged CR, one file an
// edit: architectures (the claim), enable (the switch), gate, placement and
// defaults.
//
// An edit touches only what it is about: comments, order, quoting and all that
// is not goldenarch's stay. An edit that is there already changes nothing.
//
// The package is pure: no network, no files, no clock, no environment.
package transformers
