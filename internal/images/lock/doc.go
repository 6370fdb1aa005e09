// Package lock keeps registries' answers in a file of the package, so that the
// same commit gives the same manifests: an ArchitectureLock.
//
// [New] reads one or several of them into a [Lock], which answers for a registry
// ([Prefer], [Require]). [Compare] says how the registries' answers of today
// differ from it. A [File] is the file itself: it is edited entry by entry, so
// that nothing changes that the registries have not changed, and [Replace] puts
// the new text in its place all at once.
package lock
