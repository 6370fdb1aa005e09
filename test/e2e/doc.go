// Package e2e has nothing but tests: goldenarch as its users run it, by the
// real kustomize, by the real kpt and against real registries.
package e2e
