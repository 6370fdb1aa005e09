// Package definition has nothing but tests: they make krmfunctiondefinition.yaml,
// which tells catalogs and editors of the function, with the OpenAPI schema of
// its configuration from the Go types of api/v1alpha1: their JSON names, their
// comments, their constants, and the defaults that decoding gives. A file that
// is out of date fails; -update writes it.
package definition
