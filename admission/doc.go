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
// The package is pure: no network, no files, no clock, no environment.
package admission
