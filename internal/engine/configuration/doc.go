// Package configuration finds the configuration of a run, applies the caller's options to
// it, and reads the files that spec.inputs names. Every entry of the pipeline begins with
// [Source.Load]. A table says what each field may do that somebody wrote whom the operator does not trust.
package configuration
