// Package flux has nothing but tests: what goldenarch renders, as Flux's
// kustomize-controller builds it.
package flux
