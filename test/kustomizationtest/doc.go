// Package kustomizationtest has kustomizations that try to reach the network, for
// the tests of what builds them.
package kustomizationtest
