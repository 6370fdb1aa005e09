// Command identity is what a config management plugin costs that does nothing: it
// prints the manifests of the working directory as they are.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	files, err := filepath.Glob("*.yaml")
	if err != nil {
		panic(err) // the pattern is well-formed
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("---\n%s\n", data)
	}
}
