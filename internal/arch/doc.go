// Package arch holds the words that everything else is said in: an
// architecture ([Arch]), a platform of an image ([Platform]), a set of
// architectures ([Set]) and the claim of a template ([Claim]).
//
// Architecture names are Go's (amd64, arm64, s390x, ppc64le, ...). Other
// spellings that people use are read and normalised by [Parse], and never
// written.
//
// The package is pure: no network, no files, no clock, no environment.
package arch
