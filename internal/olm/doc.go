// Package olm checks and writes the labels with which a ClusterServiceVersion declares the
// architectures and systems of an operator. Package workload handles the PodSpecs and
// placements of operators.
//
// The package is pure: no network, no files, no clock, no environment.
package olm
