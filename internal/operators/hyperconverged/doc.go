// Package hyperconverged is the HyperConverged CR as a model: its API versions
// and where each keeps its fields, its templates, HCO's table of predefined
// templates, what HCO refuses, and what HCO makes of each template.
//
// The rules are those of kubevirt/hyperconverged-cluster-operator ("hco" in
// the comments), releases 1.16 to 1.20. A comment that names a file of it is
// the source of the rule beside it.
//
// The package is pure: no network, no files, no clock, no environment, and no
// YAML. It reads decoded JSON.
package hyperconverged
