// Package expansion makes DataImportCrons out of a DataImportCronTemplate, as
// SSP does: one for each architecture that the claim and the cluster have in
// common, and the DataSource that stands for them all.
//
// The forecast and the generators both use it: what goldenarch emits is what
// SSP would have made. "ssp" in comments names files of kubevirt/ssp-operator.
// The package is pure: no network, no files, no clock, no environment.
package expansion
