// Package forecast predicts what the operators make of a HyperConverged CR, as
// data: HCO (its templates, its gate, its alerts), SSP (which DataImportCrons
// and DataSources, or why it refuses), CDI (its verdict on each cron, and the
// DataSources after it); and of each thing what becomes of it and why.
//
// The rules are those of the operators' own code, and held against its answers
// in the tests. Comments name the files: "hco", "ssp" and "cdi" stand for
// kubevirt/hyperconverged-cluster-operator, kubevirt/ssp-operator and
// kubevirt/containerized-data-importer.
//
// The package is pure: no network, no files, no clock, no environment.
package forecast
