// Package livecr reads the live CR: the dump of the cluster's own HyperConverged, with its
// status. It says which CR of the input the dump describes, and what the dump shows of the
// release, the nodes and the multi-arch gate.
package livecr
