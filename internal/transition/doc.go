// Package transition says step by step what a change does to the golden images of a cluster:
// which objects appear, change, remain and disappear, what storage that takes, which machines
// lose their source, and how to undo it. It compares the states that internal/operators/sequence
// predicts, beginning with the objects of a dump.
//
// For check alone, it finds the imports of a dump that do not end (StuckImports).
//
// The package is pure: no network, no files, no clock, no environment.
package transition
