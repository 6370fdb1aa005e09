// Package arch holds the types that all other packages use: an architecture ([Arch]), a
// platform of an image ([Platform]), a set of architectures ([Set]) and the declared
// architectures of a template ([Claim]).
//
// Architecture names are Go's (amd64, arm64, s390x, ppc64le, ...). [Parse] accepts and
// normalizes other spellings that users write. goldenarch never writes them.
//
// The package is pure: no network, no files, no clock, no environment.
package arch
