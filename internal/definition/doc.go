// Package definition contains only tests. They generate krmfunctiondefinition.yaml and
// krmfunctiondefinition-workloads.yaml, which describe the function to catalogs and editors,
// and the JSON schemas in schemas/. The files have the schemas of the function's
// configurations, made from the Go types of api/v1alpha1: their JSON names, comments,
// constants, and the defaults that decoding sets. The schemas of what the verbs print with
// "-o json" are made from the types of the documents. A test fails if a file is out of date;
// -update writes it.
package definition
