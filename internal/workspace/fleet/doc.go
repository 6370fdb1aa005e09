// Package fleet has what is about many clusters of one repository: the Fleet, which states
// the nodes and options of each cluster in one file, and the run for all of them. Each verb
// that takes a repository uses it.
package fleet
