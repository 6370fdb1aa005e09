// Package forecast predicts what the operators do with a HyperConverged CR, and returns it
// as data. It predicts the templates, the gate and the alerts of HCO. It predicts which
// DataImportCrons and DataSources SSP makes, or why SSP refuses. It predicts CDI's verdict
// on each cron, and the DataSources afterwards. For each object it says what happens and
// why.
//
// The rules are those of the operators' own code, and the tests compare them with the
// operators' answers. Comments name the files: "hco", "ssp" and "cdi" mean
// kubevirt/hyperconverged-cluster-operator, kubevirt/ssp-operator and
// kubevirt/containerized-data-importer.
//
// The package is pure: no network, no files, no clock, no environment.
package forecast
