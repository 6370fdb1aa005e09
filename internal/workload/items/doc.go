// Package items finds the objects with pods in the items of a run, and collects the images
// that they name. It then runs [workload.Run] on copies of the items.
//
// The package is pure: no network, no files, no clock, no environment.
package items
