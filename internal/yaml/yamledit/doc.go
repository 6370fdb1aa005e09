// Package yamledit writes edits of a YAML document into its text. Every byte outside the
// changed lines stays: comments, indentation, quotes, blank lines, line ends, anchors, a
// byte order mark, a missing final newline.
//
// [Update] takes the text of a document, and the tree that the document must have
// afterwards. It reads the text with kyaml's reader and finds each node's bytes (scan.go).
// It then compares the two trees (edit.go, align.go) and writes the differences into the
// text (arrange.go). New lines follow the style of the lines around them (style.go). At
// the end, Update reads the new text and compares it with the tree. If they differ, it
// returns an error and no text. A text without a document has nothing to compare: [Begin]
// writes fields behind it.
//
// The reader's positions alone are not enough to find the bytes. The reader counts columns
// in characters, takes U+0085 and U+2028 for line breaks, and does not know where a node
// ends. So the scanner follows the tree through the text, token by token. Each position
// that the reader reports must be the position that the scanner has reached.
//
// The package is pure: no network, no files, no clock, no environment.
package yamledit
