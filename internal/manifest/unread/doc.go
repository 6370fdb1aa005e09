// Package unread finds what goldenarch checks in places where it does not read it: in a mapping
// that no known kind holds, in a text, in the values of a chart, in what a template makes.
//
// [MayHold] selects by the bytes of a file, which is cheap. [InObject], [InManifests] and [InTemplate]
// then look at what the bytes mean, so that a mention alone is no hit: a reference, a rule, a schema
// or prose.
//
// The package is pure: no network, no files, no clock, no environment.
package unread
