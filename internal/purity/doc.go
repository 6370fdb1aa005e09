// Package purity has nothing but tests. They read the source of the module and
// check the imports of every package against the list in packages_test.go. The
// table in docs/architecture.md and the depguard rule in .golangci.yml are made
// from the same list:
//
//	go test ./internal/purity -update
//
// So whoever adds or moves a package edits one row of that list.
package purity
