// Package archtest has nothing but tests. They read the source of the module. They
// check the imports of every package against the list in packages_test.go, and rules
// such as one printer, one reader of files and the length of lines. The table in
// docs/dev/architecture.md and the depguard rule in .golangci.yml are made from the same list:
//
//	go test ./internal/archtest -update
//
// So whoever adds or moves a package edits one row of that list.
package archtest
