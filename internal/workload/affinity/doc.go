// Package affinity reads and writes what a PodSpec says about the architecture of its
// node: nodeSelector and node affinity.
//
// [Read] returns the constraints as Kubernetes reads them. [Write] puts an
// architecture requirement into each term that has none: the terms of a required node
// affinity are ORed, so a term of its own would let in what the others keep out. What
// a person wrote stays as it is. A [Record] says what goldenarch wrote, so that a
// later run updates exactly that.
//
// The package is pure: no network, no files, no clock, no environment.
package affinity
