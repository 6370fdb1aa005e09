// Package repo finds out what a directory tree of a GitOps repository holds: the
// clusters, which are outermost overlays, applied directories and plain directories with
// a HyperConverged CR, and what goldenarch cannot look into, such as Helm charts.
//
// [Scan] reads files and builds nothing. It reads each file at most once.
package repo
