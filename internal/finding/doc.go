// Package finding holds what goldenarch tells its user: one message each, with
// a stable id, a severity, the object and field it speaks of, what is wrong and
// what to do about it.
//
// A finding goes to three places, and this package knows them all: the results
// of a KRM function ([Finding.Result]), a line on stderr ([Finding.String],
// because kustomize drops results) and the exit status ([List.Failed]).
package finding
