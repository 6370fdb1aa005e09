// Package definition contains only tests. They generate krmfunctiondefinition.yaml, which
// describes the function to catalogs and editors. The file has the OpenAPI schema of the
// function's configuration, made from the Go types of api/v1alpha1: their JSON names,
// comments, constants, and the defaults that decoding sets. A test fails if the file is out
// of date; -update writes it.
package definition
