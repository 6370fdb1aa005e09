// Package finding holds goldenarch's messages to its user. Each has a stable id, a
// severity, the object and the field, the problem and the fix.
//
// A finding goes to three places, and this package knows them all: the results of a KRM
// function ([List.Results]), a line on stderr ([Finding.String], because kustomize
// drops results) and the exit status ([List.Failed]).
package finding
