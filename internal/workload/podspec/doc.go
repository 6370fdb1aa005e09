// Package podspec finds the PodSpecs in objects of any kind, and the images that a PodSpec
// names.
//
// A [Place] is a PodSpec, or a placement: a nodeSelector and an affinity without containers.
//
// The package is pure: no network, no files, no clock, no environment.
package podspec
