package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// tools are the programs that are measured, by name.
type tools map[string]string

// build builds goldenarch, a function that does nothing, crane, and a program that
// has nothing but crane's library; regctl and skopeo are measured where they are installed.
func build(dir string) (tools, error) {
	t := tools{}
	for name, at := range map[string]struct{ module, pkg string }{
		"goldenarch": {"../..", "."}, "noop": {".", "./noop"}, "launch": {"../..", "./test/launch"}, "library": {".", "./library"}, "together": {".", "./together"},
		"crane": {".", "github.com/google/go-containerregistry/cmd/crane"},
	} {
		if err := t.build(dir, name, at.module, at.pkg); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"regctl", "skopeo"} {
		if path, err := exec.LookPath(name); err == nil {
			t[name] = path
		}
	}
	return t, nil
}

// beforeName is the name of another build of goldenarch, which is measured beside this one.
const beforeName = "before"

// builds returns the names of the builds of goldenarch to measure.
func (t tools) builds() []string {
	if t[beforeName] == "" {
		return []string{"goldenarch"}
	}
	return []string{beforeName, "goldenarch"}
}

// build builds one of them from a module that pins its version.
func (t tools) build(dir, name, module, pkg string) error {
	t[name] = filepath.Join(dir, name)
	command := exec.CommandContext(context.Background(), "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", t[name], pkg)
	command.Dir = module
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	return installed(t[name])
}

// installed copies a program in place, as an installation writes it. The linker writes its file here
// and there, and Linux then keeps it in small pieces: a program of 28 MB starts a millisecond later.
func installed(program string) error {
	data, err := os.ReadFile(program)
	if err != nil {
		return fmt.Errorf("read a program: %w", err)
	}
	if err := os.Remove(program); err != nil {
		return fmt.Errorf("replace a program: %w", err)
	}
	if err := os.WriteFile(program, data, 0o755); err != nil { //nolint:gosec // in a directory of this program
		return fmt.Errorf("write a program: %w", err)
	}
	return nil
}
