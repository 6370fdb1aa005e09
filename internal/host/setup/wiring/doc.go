// Package wiring sets goldenarch up for a directory: it finds out what its repository has, and
// says which files change so that a host, a workflow or a hook runs goldenarch. The texts are
// those of [setup].
package wiring
