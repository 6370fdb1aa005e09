// Package plan decides what to write: templates x platforms x cluster -> decisions, each
// with its reason. [Questions] lists what goldenarch must find out first. [Decide] takes
// the answers and returns a [Plan] and findings.
//
// The package reads no YAML and queries no registry: package transformers writes a plan
// into a CR, and package registry answers the questions.
//
// The package is pure: no network, no files, no clock, no environment.
package plan
