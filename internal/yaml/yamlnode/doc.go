// Package yamlnode reads, compares, copies and edits YAML nodes in place. kyaml's own
// filters drop the comments of a field that they replace.
//
// What reads follows aliases and merge keys ([Get], [Text], [At], [Line], [Fields]).
// What edits does not, because an edit of the target of an alias would change other places,
// too ([Value], [Field], [Put], [Pairs]). No other package walks the content of a mapping.
//
// A null is the same as nothing. An edit that changes nothing leaves the bytes of the node
// as they are.
//
// [JSON] is the one conversion to JSON: what the API server reads.
//
// A parser accepts YAML that is small and becomes large: anchors that contain themselves or
// multiply each other, and values nested thousands deep. Code that walks the tree or expands the
// anchors then needs more memory or stack than there is, and Go cannot recover from that. So what
// somebody else wrote is first checked ([CheckText], [CheckSize], [CheckDepth]).
//
// kyaml's encoder (go.yaml.in/yaml/v3 emitterc.go) keeps the form that a text has in its file, even
// if it cannot write the text in that form. A folded block (">") with an indented line gains an
// empty line each time the encoder writes it. No parser can read a block that begins with a tab,
// or an anchor behind a comment. [Safe] changes the form of such texts and the place of such
// comments. All code that encodes a user's nodes calls it first.
//
// The package is pure: no network, no files, no clock, no environment.
package yamlnode
