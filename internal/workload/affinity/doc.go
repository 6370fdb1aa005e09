// Package affinity reads and writes what a PodSpec says about the architecture of its node:
// nodeSelector and node affinity.
//
// [Read] returns the constraints as Kubernetes reads them. [Write] adds an architecture
// requirement to each term that has none. Kubernetes ORs the terms of a required node
// affinity, so a separate term would admit nodes that the others exclude. What a person
// wrote stays unchanged. A [Record] says what goldenarch wrote, so that a later run updates
// exactly that.
//
// The package is pure: no network, no files, no clock, no environment.
package affinity
