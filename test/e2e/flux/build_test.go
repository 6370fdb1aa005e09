package flux

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// programs is where goldenarch is built, once.
var programs string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "flux")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	programs = dir
	return m.Run()
}

// goldenarch builds the program as test/e2e does, so that it is compiled once, and
// returns where it is.
var goldenarch = sync.OnceValues(func() (string, error) {
	program := filepath.Join(programs, "goldenarch")
	command := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, ".")
	command.Dir = "../../.."
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build goldenarch: %w\n%s", err, out)
	}
	return program, nil
})
