// Package olm treats the labels by which a ClusterServiceVersion says on which
// architectures and systems an operator runs. PodSpecs and placements of operators are
// matters of package workload.
//
// The package is pure: no network, no files, no clock, no environment.
package olm
