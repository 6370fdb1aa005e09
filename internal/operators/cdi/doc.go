// Package cdi predicts what the Containerized Data Importer does with a DataImportCron
// before it imports anything: what its webhook refuses, and which labels its controller
// gives to the DataSource.
//
// The rules are those of kubevirt/containerized-data-importer; "cdi" in comments names its
// files. The package is pure: no network, no files, no clock, no environment.
package cdi
