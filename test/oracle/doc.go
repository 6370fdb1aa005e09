// Command oracle runs the operators' own code on cases, and stores what it answers below
// testdata, one directory a release of HCO.
//
// It exports the commits of each release from Git repositories of HCO, SSP and CDI, or of
// KubeVirt, and builds a program of ours inside each (testdata/programs, go build -overlay): nothing of
// the operators' code is copied, and the exported trees stay as they are. "make oracle" and
// docs/dev/upstream.md say how to call it.
package main
