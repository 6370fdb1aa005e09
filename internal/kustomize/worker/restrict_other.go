//go:build !linux

package worker

// Restrict does nothing: only Linux has Landlock.
func Restrict(string) error { return nil }
