// Package generators creates what SSP would create for templates, for Git: a
// DataImportCron for each architecture, its DataSource, and the default DataSource that
// points at one of these. If requested, it adds the namespace and the access rights
// that SSP creates on OpenShift.
//
// Package expansion decides how templates expand. This package turns the result into
// objects. The package is pure: no network, no files, no clock, no environment.
package generators
