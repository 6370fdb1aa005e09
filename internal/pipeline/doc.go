// Package pipeline is the sequence of steps of a run: items in, items and findings out.
// [Function] holds its dependencies. Its Run performs the steps once, in this order:
//
//	read -> cluster architectures -> templates -> collect references
//	-> resolve (all at once) -> decide -> write -> predict -> findings
//
// On an error finding Run writes nothing: it returns the items unchanged. Each step is
// a package of its own.
//
// The other entry points belong to the verbs: Render, Check, Predict, Images and
// Answers.
package pipeline
