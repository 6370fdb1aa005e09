// Package manifest reads Kubernetes manifests into items: YAML and JSON from files,
// directories and streams. Each item has its file, its index in the file and, in its
// nodes, the line of each field.
//
// The command line and the inputs of the function both use it.
package manifest
