// Package kubevirt decides what KubeVirt makes of a virtual machine: the architecture that its
// webhooks store, what they refuse, and the nodes that its launcher pod asks for. The release
// is an input: the rules differ from 1.6 to 1.9.
//
// The rules are those of KubeVirt's own code, and comments name the files of
// kubevirt/kubevirt. A decision is exact if everything in [Cluster] is known. Callers that know
// less ask once for each state that the cluster may be in.
//
// The package is pure: no network, no files, no clock, no environment.
package kubevirt
