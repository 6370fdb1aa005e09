// Package cdi holds what the Containerized Data Importer does with a
// DataImportCron, as far as it can be reported before anything is imported: what
// its webhook refuses, and the labels that its controller gives to the
// DataSource.
//
// The rules are those of kubevirt/containerized-data-importer, of which "cdi"
// in comments names files. The package is pure: no network, no files, no clock,
// no environment.
package cdi
