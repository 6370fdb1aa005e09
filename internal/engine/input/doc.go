// Package input reads from the items what a run needs: HyperConverged CRs, node facts,
// ImageStreams, locks and the live CR. It reports objects that it cannot read, and
// duplicates.
package input
