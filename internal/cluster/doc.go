// Package cluster turns node facts into architectures. It reads the nodes of the input and
// the CR's placement of workloads. From these, it computes the workload and control-plane
// architectures as HCO does (hco pkg/internal/nodeinfo).
//
// A [Facts] holds what one object of the input says. [Decide] merges them by precedence.
// Each kind of object has its own file and a line in the table of [Read].
//
// The package is pure: no network, no files, no clock, no environment.
package cluster
