// Package engine is the sequence of steps of a run: items in, items and findings out.
//
//	read -> cluster architectures -> templates -> collect references
//	-> resolve (all at once) -> decide -> write -> predict -> findings
//
// [Function] holds the dependencies. Each of its methods is the entry point of a verb: it loads
// a session (the items, and the steps with their configurations) and works with that. A run is
// the work of one step on its items, in the order above (run.go): a lookup gets the answers about
// images for it, from the locks and then from the registries.
//
// On an error finding a run writes nothing: it returns the items unchanged. Each part of the
// sequence is a package of its own.
package engine
