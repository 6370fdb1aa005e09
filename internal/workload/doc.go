// Package workload decides for each pod of an object which architectures all of its
// images have, writes that as its node affinity, and checks the result.
//
// A [Run] has what all objects share: the configuration, the nodes, and what the
// registries answered. [Run.Treat] does the rest. It changes the object that it is
// given; the caller passes a copy.
//
// The package is pure: no network, no files, no clock, no environment.
package workload
