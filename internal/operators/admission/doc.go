// Package admission predicts what happens to a HyperConverged CR when somebody creates it.
// The API server prunes unknown fields and sets defaults, according to the CRD. HCO's
// mutating webhook changes or denies the CR. The API server validates it against the CRD.
// HCO's validating webhook admits or denies it. The API server then stores the CR, and the
// operators read it.
//
// The rules are those of kubevirt/hyperconverged-cluster-operator ("hco" in the comments).
// The structure of the CRD is in crd.txt, for each release from 1.16 to 1.20 and each
// version that the release serves. The file omits prose, formats and CEL rules, and shares
// equal parts. tools/crdstructure writes it from the file deploy/crds/hco00.crd.yaml of
// hco's branches (commits of 2026-08):
//
//	1.16  release-1.16  aa70ad84dff2
//	1.17  release-1.17  564a7fedb79e
//	1.18  release-1.18  de5270c095a0
//	1.19  release-1.19  7313576e67e4
//	1.20  main          03da3cff7325
//
// The package does not predict CEL rules, except that of unique feature gates. It does not
// predict ranges of integers, JSON patches in annotations, or the admission policy on the
// CR's namespace. It also does not predict what HCO's webhook reports when it makes the CRs
// of KubeVirt, CDI and the network addons.
//
// The package is pure: no network, no files, no clock, no environment.
package admission
