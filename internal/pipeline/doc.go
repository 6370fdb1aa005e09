// Package pipeline is the line of the data: items in, items and findings out.
// [Function] holds what it needs of the world. Its Run is that line, once, without
// turning back:
//
//	read -> cluster architectures -> templates -> collect references ->
//	resolve (all at once) -> decide -> write -> predict -> findings
//
// On an error finding nothing is written: the items come back as they were. Each step
// is a package of its own.
//
// The other entries are those of the verbs: Render, Check, Predict, Images and
// Answers.
package pipeline
