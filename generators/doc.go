// Package generators makes what SSP would make of templates, for Git: a
// DataImportCron for each architecture, its DataSource, and the reference
// DataSource that stands for them; with the namespace and the rights that SSP
// gives on OpenShift, if asked. One file a kind.
//
// How templates expand is package expansion's; here they become objects. The
// package is pure: no network, no files, no clock, no environment.
package generators
