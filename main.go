// Command goldenarch makes the golden images of a KubeVirt cluster right for
// every architecture its nodes have. Package cli says how it is called.
package main

import (
	"os"

	"github.com/goldenarch/goldenarch/internal/cli"
	"github.com/goldenarch/goldenarch/internal/kustomize/worker"
)

func main() {
	if worker.Is(os.Args) {
		os.Exit(worker.Serve(os.Args))
	}
	os.Exit(cli.Main())
}
