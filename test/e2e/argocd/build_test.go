package argocd

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// programs are what the tests run: built once, into one directory.
var programs string

// build builds a program of this module, with the settings of these tests, so that
// what the two share is compiled once.
func build(pkg, name string) error {
	return goBuild(exec.Command("go", "build", "-ldflags", "-s -w", "-o", filepath.Join(programs, name), pkg))
}

// buildGoldenarch builds the program as test/e2e does, whatever settings these tests
// have.
func buildGoldenarch() error {
	command := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(programs, "goldenarch"), ".")
	command.Dir = "../../.."
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	return goBuild(command)
}

func goBuild(command *exec.Cmd) error {
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", command.Args, err, out)
	}
	return nil
}
