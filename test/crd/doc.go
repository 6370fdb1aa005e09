// Package crd holds what goldenarch emits against CRDs that are generated from
// the CDI API's own Go types, and configurations against the schema that goldenarch
// publishes of its own. It is a module of its own: what generates CRDs is
// not to be among goldenarch's dependencies.
package crd
