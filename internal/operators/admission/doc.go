// Package admission predicts what becomes of a HyperConverged CR on its way
// into a cluster, when it is created: the API server prunes and defaults it by
// the CRD, HCO's mutating webhook changes it or denies it, the API server
// validates it by the CRD, HCO's validating webhook has the last word. What
// passes is stored, and is what the operators then see.
//
// The rules are those of kubevirt/hyperconverged-cluster-operator ("hco" in
// the comments). The structure of the CRD is in crd.json, for each release from
// 1.16 to 1.20 and each version that it serves: prose, formats and CEL rules
// left out, equal parts shared. tools/crdstructure writes it from the file
// deploy/crds/hco00.crd.yaml of hco's branches (commits of 2026-08):
//
//	1.16  release-1.16  aa70ad84dff2
//	1.17  release-1.17  564a7fedb79e
//	1.18  release-1.18  de5270c095a0
//	1.19  release-1.19  7313576e67e4
//	1.20  main          03da3cff7325
//
// Not predicted: the CEL rules but that of unique feature gates, ranges of
// integers, what HCO's webhook finds when it makes the CRs of KubeVirt, CDI and
// the network addons, JSON patches in annotations, and the admission policy on
// the CR's namespace.
//
// The package is pure: no network, no files, no clock, no environment.
package admission
