// Package cluster turns node facts into architectures: what the input says of
// nodes, and where the CR places workloads, give the workload and control-plane
// architectures as HCO computes them (hco pkg/internal/nodeinfo).
//
// What one object of the input says is a [Facts]; [Decide] merges them by
// precedence. Each kind that says something is read in a file of its own; a
// new one is a line in the table of [Read].
//
// The package is pure: no network, no files, no clock, no environment.
package cluster
