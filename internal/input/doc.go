// Package input reads out of the items what a run needs, each kind once: HyperConverged
// CRs, node facts, ImageStreams, locks and the live CR. It reports what cannot be read
// and what is in the input twice.
package input
