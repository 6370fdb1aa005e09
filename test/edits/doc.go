// Package edits writes CRs and pods in random formatting, lets "goldenarch fix" edit them and
// judges the files with another YAML parser than goldenarch has. It is a module of its own:
// that parser is not to be among goldenarch's dependencies.
package edits
