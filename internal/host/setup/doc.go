// Package setup has the texts that "goldenarch init" writes: the configuration, and the
// entries of other programs' files that run goldenarch. An entry that is there already
// changes nothing.
//
// The package is pure: no network, no files, no clock, no environment.
package setup
