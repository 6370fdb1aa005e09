// Package v1alpha1 holds the kinds that a user of goldenarch writes, in the group
// goldenarch.dev. [GoldenImages] configures the function. [ClusterArchitectures] states
// node facts in Git. [ArchitectureLock] keeps the registries' answers in Git.
// [WorkloadArchitectures] configures the changes to pods. [Fleet] states options of many
// clusters in one repository. The package has the types,
// defaults, strict decoding and validation. It does not act on them.
//
// Names, defaults and meaning of the fields are public interface. New versions add
// fields and do not rename any.
//
// The package is pure: no network, no files, no clock, no environment.
package v1alpha1
