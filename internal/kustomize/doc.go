// Package kustomize builds a directory that has a kustomization, with kustomize's library.
// So "goldenarch render DIR" has the same output as "kustomize build DIR" piped into
// goldenarch, and needs neither kustomize nor a shell. The package does not run functions,
// plugins or other programs, and does not fetch anything. [Library] builds in its own process;
// package worker passes it requests from others.
//
// A kustomization may list goldenarch among its transformers. Then the package removes
// that configuration from the build, and goldenarch applies it to the built resources.
package kustomize
