// Package wrapper opens objects that carry other objects to a cluster, such as the Policy
// of Open Cluster Management, the ManifestWork and hive's SyncSet.
//
// [Open] returns what a wrapper holds, each object with its path in the wrapper and with
// its [Reach]: whether a later edit of the text reaches the cluster. Package unread finds the
// HyperConverged CRs anywhere else in an object.
//
// The package is pure: it reads YAML nodes and changes nothing.
package wrapper
