// Package workload decides for each pod of an object which architectures all of its images
// have. It writes them as the pod's node affinity, and checks the result.
//
// A [Run] has what all objects share: the configuration, the nodes, and the answers of the
// registries. [Run.Treat] does the rest. It changes the object that it gets, so the caller
// passes a copy.
//
// The package is pure: no network, no files, no clock, no environment.
package workload
