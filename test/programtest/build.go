// Package programtest builds the programs of the module for tests that run them.
package programtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// packageDir is the directory of the package under test: tests change the working directory.
var packageDir, _ = os.Getwd()

// Build builds programs of the module into a directory, with the settings of a release: a
// program needs no library of the system, and whatever else is tested with these settings
// (see the Makefile) shares what Go has compiled. Its version is not that of the checkout.
// goldenarch itself is always among them.
func Build(dir string, packages ...string) error {
	const module = "github.com/goldenarch/goldenarch"
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", dir + string(os.PathSeparator), module}
	for _, path := range packages {
		args = append(args, module+"/"+path)
	}
	command := exec.CommandContext(context.Background(), "go", args...)
	command.Dir = packageDir
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("build goldenarch: %w\n%s", err, text)
	}
	return nil
}
