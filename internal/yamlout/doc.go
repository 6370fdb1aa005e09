// Package yamlout lets no value change on its way through kyaml's encoder.
//
// The encoder (go.yaml.in/yaml/v3 emitterc.go) keeps the form that a text had in
// its file, also where it cannot write the text in that form: a folded block
// (">") with a line that is indented gains an empty line each time it is written,
// and a block that begins with a tab cannot be read again. [Safe] gives such
// texts another form. Whatever encodes a user's nodes calls it before.
package yamlout
