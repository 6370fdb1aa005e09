// Package fn is the KRM function: items in, items and findings out. [Function]
// holds what it needs of the world; its Run is the way of the data, once,
// without turning back:
//
//	read -> cluster architectures -> templates -> collect references ->
//	resolve (all at once) -> decide -> write -> findings
//
// On an error finding nothing is written: the items come back as they were.
package fn
