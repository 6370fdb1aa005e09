// Package facts makes the facts about a cluster that a repository of machines needs from the
// prediction for a CR, and compares a facts file with the CR that it came from.
//
// The package is pure: no network, no files, no clock, no environment.
package facts
