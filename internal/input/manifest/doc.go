// Package manifest reads Kubernetes manifests into items: YAML and JSON from
// files, directories and streams. Each item knows its file, its place in it
// and, through the lines of its nodes, the line of each field.
//
// It is what the command line and the function's inputs have in common.
package manifest
