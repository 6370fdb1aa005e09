// Package bound refuses YAML that is small and becomes large: anchors that hold
// themselves or multiply each other, and values nested thousands deep. What reads
// YAML into a tree takes them; what walks the tree or expands the anchors then
// needs more memory, or more stack, than there is, and Go cannot recover from that.
package bound
