// Package lock keeps registries' answers in a file of the package, an ArchitectureLock, so
// that the same commit gives the same manifests.
//
// [New] reads one or several of them into a [Lock], which answers instead of a registry
// ([Prefer], [Require]). [Compare] returns the differences between a lock and the
// registries' current answers. A [File] is the file itself. It is edited entry by entry, so
// that an entry without a change keeps its text.
package lock
