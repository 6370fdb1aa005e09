// Package v1alpha1 holds the kinds that a user of goldenarch writes, in the
// group goldenarch.dev: [GoldenImages], the configuration of the function,
// [ClusterArchitectures], node facts said in Git, [ArchitectureLock], the
// registries' answers kept in Git, and [WorkloadArchitectures], what to do about pods. Types, defaults, strict decoding and
// validation are here; what they do is not.
//
// Names, defaults and meaning of the fields are public interface: they are
// added to, not renamed.
//
// The package is pure: no network, no files, no clock, no environment.
package v1alpha1
