// Package limit refuses YAML that is small and becomes large: anchors that contain
// themselves or multiply each other, and values nested thousands deep. A YAML parser
// accepts such a document. Code that walks the tree or expands the anchors then needs more
// memory or stack than there is, and Go cannot recover from that.
package limit
