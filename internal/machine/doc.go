// Package machine finds the virtual machines among the objects of a run and says, for each of
// them, which architecture it gets and who decides that. It says which disks the machine boots
// from, on which nodes it may run, and whether it starts.
//
// What KubeVirt does is the job of [kubevirt.Decide], which is exact for one state of a cluster.
// This package asks it once for each state that the cluster may be in. What holds in all states
// is certain. What differs is a warning, and names what it depends on.
//
// The package is pure: no network, no files, no clock, no environment.
package machine
