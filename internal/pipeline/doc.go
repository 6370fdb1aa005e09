// Package pipeline is the line of the data: items in, items and findings out.
// [Function] holds what it needs of the world. Its Run is that line, once, without
// turning back:
//
//	read -> cluster architectures -> templates -> collect references ->
//	resolve (all at once) -> decide -> write -> predict -> findings
//
// On an error finding nothing is written: the items come back as they were.
//
// The other entries are those of the verbs: Render, Check, Foretell, Images and
// Answers.
package pipeline
