// Package plan decides: templates x platforms x cluster -> decisions, each with
// its reason. What must be known first is asked for by [Questions]; what was
// found out goes into [Decide]; what comes out is a [Plan], and findings.
//
// There is no YAML in it and no registry: package transformers writes a plan
// into a CR, package registry answers the questions.
//
// The package is pure: no network, no files, no clock, no environment.
package plan
