// Package yamlout keeps kyaml's encoder from changing values.
//
// The encoder (go.yaml.in/yaml/v3 emitterc.go) keeps the form that a text has in its file,
// even if it cannot write the text in that form. A folded block (">") with an indented line
// gains an empty line each time the encoder writes it. No parser can read a block that
// begins with a tab, or an anchor behind a comment. [Safe] changes the form of such texts and
// the place of such comments. All code that encodes a user's nodes calls it first.
package yamlout
