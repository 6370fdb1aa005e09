// Package hyperconverged is the model of the HyperConverged CR. It has the API versions and
// where each keeps its fields, the templates, and HCO's table of predefined templates. It
// also has what HCO refuses, and what HCO makes from each template.
//
// The rules are those of kubevirt/hyperconverged-cluster-operator ("hco" in the comments),
// releases 1.16 to 1.20. A comment that names one of its files gives the source of the rule
// beside it.
//
// The package is pure: no network, no files, no clock, no environment, and no YAML. It
// reads decoded JSON.
package hyperconverged
