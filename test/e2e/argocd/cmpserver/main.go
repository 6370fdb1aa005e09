// Command cmpserver is Argo CD's own argocd-cmp-server, of the version that
// go.mod pins. Argo CD builds all its programs as one, which holds its user
// interface and so cannot be built as a module.
package main

import (
	"os"

	"github.com/argoproj/argo-cd/v3/cmd/argocd-cmp-server/commands"
)

func main() {
	if commands.NewCommand().Execute() != nil { // it has told what failed
		os.Exit(1)
	}
}
