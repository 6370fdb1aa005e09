// Package yamledit writes the edits that were made to a YAML document into its
// text. Every byte outside the changed lines stays: comments, indentation, quotes,
// blank lines, line ends, anchors, a byte order mark, a missing final newline.
//
// [Edit] takes the text of a document and the tree that the document must have
// afterwards. It reads the text with kyaml's reader, finds each node's bytes
// (scan.go), compares the two trees (diff.go) and cuts the differences into the
// text (block.go, flow.go). New lines follow the style of their neighbours
// (style.go). At the end it reads the new text and compares it with the tree: a
// text that says anything else is an error, never a result.
//
// The reader's positions alone do not find the bytes: it counts columns in
// characters, takes U+0085 and U+2028 for line breaks, and knows no end of a node.
// So the scanner follows the tree through the text, token by token, and each
// position that the reader gives must be the one that the scanner has reached.
//
// The package is pure: no network, no files, no clock, no environment.
package yamledit
