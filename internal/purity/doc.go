// Package purity has nothing but tests: they read the source of the module and
// hold every package to its place. Which room may use which, and which rooms
// touch nothing of the world, stands in rooms_test.go.
package purity
