// Package admission foretells what becomes of a HyperConverged CR on its way
// into a cluster, when it is created: the API server prunes and defaults it by
// the CRD, HCO's mutating webhook changes it or denies it, the API server
// validates it by the CRD, HCO's validating webhook has the last word. What
// passes is stored, and is what the operators then see.
//
// The rules are those of kubevirt/hyperconverged-cluster-operator ("hco" in
// the comments). The structure of the CRD is that of its newest release, in
// crd.json: prose, formats and CEL rules left out, equal parts shared.
//
// Not foretold: the CEL rules but that of unique feature gates, ranges of
// integers, what HCO's webhook finds when it makes the CRs of KubeVirt, CDI and
// the network addons, JSON patches in annotations, and the admission policy on
// the CR's namespace.
//
// The package is pure: no network, no files, no clock, no environment.
package admission
