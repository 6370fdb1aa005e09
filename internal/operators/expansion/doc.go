// Package expansion makes DataImportCrons from a DataImportCronTemplate, as SSP does. It
// makes one for each architecture that the template declares and the cluster has, and the
// default DataSource.
//
// The forecast and the generators both use it, so goldenarch emits what SSP would make.
// "ssp" in comments names files of kubevirt/ssp-operator. The package is pure: no network,
// no files, no clock, no environment.
package expansion
