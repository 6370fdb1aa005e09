//go:build !linux

// Command together runs a program and counts the processes that it starts. Only Linux says
// what these take.
package main

import "os"

func main() {
	_, _ = os.Stderr.WriteString("together: only Linux says what the processes of a program take\n")
	os.Exit(1)
}
