// Package configuration finds the configuration of a run, lays the caller's options over
// it and reads the files that spec.inputs names. Every entry of the pipeline begins
// with [Source.Load].
package configuration
