// Package trust says what a configuration may do that somebody wrote whom the operator does
// not trust, such as the author of a pull request: which fields count, which are facts of the
// cluster that a report must name, and which prove or lower nothing. A table has each field
// of the API.
//
// The package is pure: no network, no files, no clock, no environment.
package trust
