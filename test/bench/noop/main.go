// Command noop is a KRM function that does nothing: what any function on kyaml
// costs.
package main

import (
	"os"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
)

func main() {
	nothing := framework.ResourceListProcessorFunc(func(*framework.ResourceList) error { return nil })
	source := &kio.ByteReadWriter{Reader: os.Stdin, Writer: os.Stdout, KeepReaderAnnotations: true}
	if err := framework.Execute(nothing, source); err != nil {
		os.Exit(1)
	}
}
