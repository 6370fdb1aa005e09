package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// builder exports commits and builds programs below a directory.
type builder struct {
	directory string // for work trees and binaries
	programs  string // testdata/programs
}

// checkout exports a commit of a repository to a work tree of a name, and returns the tree
// and the commit. It does not use Git's worktrees, so that the repository may be bare and
// read-only, and may lack large files that Go does not need.
func (b builder) checkout(name, repository, ref string) (string, string, error) {
	out, err := exec.CommandContext(context.Background(), "git", "-C", repository, "rev-parse", ref+"^{commit}").Output()
	if err != nil {
		return "", "", fmt.Errorf("%s has no commit %q: pass a newer clone: %w", repository, ref, err)
	}
	commit := strings.TrimSpace(string(out))
	tree := filepath.Join(b.directory, name)
	if done, err := os.ReadFile(tree + ".commit"); err == nil && strings.TrimSpace(string(done)) == commit {
		return tree, commit, nil
	}
	if err := errors.Join(os.RemoveAll(tree), os.RemoveAll(tree+".index"), os.MkdirAll(tree, 0o755)); err != nil {
		return "", "", fmt.Errorf("cannot make the work tree: %w", err)
	}
	// A blob that the repository lacks is reported and left out; the compiler says if it is
	// needed.
	script := `git -C "$REPOSITORY" ls-tree -r --full-tree "$COMMIT" | git -C "$REPOSITORY" update-index --index-info
git -C "$REPOSITORY" checkout-index --all --force || true`
	command := exec.CommandContext(context.Background(), "sh", "-ec", script)
	command.Env = append(os.Environ(), "REPOSITORY="+repository, "COMMIT="+commit, "GIT_INDEX_FILE="+tree+".index", "GIT_WORK_TREE="+tree)
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		return "", "", fmt.Errorf("cannot export %s of %s: %w", commit, repository, err)
	}
	if err := os.WriteFile(tree+".commit", []byte(commit+"\n"), 0o644); err != nil {
		return "", "", fmt.Errorf("cannot finish the work tree: %w", err)
	}
	return tree, commit, nil
}

// build builds a program inside a work tree. files maps paths in the work tree, which do not
// exist there, to files of ours.
//
// shared says that several versions of the operator share most of their libraries. With
// -trimpath, Go compiles these once.
func (b builder) build(tree, pkg string, files map[string]string, shared bool) (string, error) {
	replace := map[string]string{}
	for inside, ours := range files {
		replace[filepath.Join(tree, inside)] = filepath.Join(b.programs, ours)
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", fmt.Errorf("cannot write the overlay: %w", err)
	}
	overlay, binary := tree+".overlay.json", tree+".program"
	if err := os.WriteFile(overlay, data, 0o644); err != nil {
		return "", fmt.Errorf("cannot write the overlay: %w", err)
	}
	command := exec.CommandContext(context.Background(), "go", "build", "-overlay", overlay, "-o", binary, "./"+pkg)
	command.Dir = tree
	work := "off"
	if _, err := os.Stat(filepath.Join(tree, "go.work")); err == nil {
		work = "" // its vendor directory belongs to the workspace
	}
	flags := os.Getenv("GOFLAGS") + " -mod=vendor"
	if shared {
		flags += " -trimpath"
	}
	command.Env = append(os.Environ(), "GOWORK="+work, "GOFLAGS="+strings.TrimSpace(flags), "CGO_ENABLED=0")
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("cannot build the program in %s: %w", tree, err)
	}
	return binary, nil
}

// program is a running program that answers requests, one line each.
type program struct {
	name    string
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func start(name, binary, directory string, environment ...string) (*program, error) {
	p := &program{name: name, command: exec.CommandContext(context.Background(), binary)}
	p.command.Dir, p.command.Stderr = directory, os.Stderr
	p.command.Env = append(os.Environ(), environment...)
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", name, err)
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", name, err)
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", name, err)
	}
	return p, nil
}

// ask sends a request and decodes the answer.
func (p *program) ask(request, answer any) error {
	data, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("cannot write a request: %w", err)
	}
	if _, err := p.in.Write(append(data, '\n')); err != nil {
		return fmt.Errorf("%s stopped: %w", p.name, err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("%s stopped: %w", p.name, err)
	}
	if err := json.Unmarshal(line, answer); err != nil {
		return fmt.Errorf("cannot read the answer of %s: %w", p.name, err)
	}
	return nil
}

// stop ends the program; nil was never started.
func (p *program) stop() error {
	if p == nil {
		return nil
	}
	if err := p.in.Close(); err != nil {
		return fmt.Errorf("cannot stop %s: %w", p.name, err)
	}
	if err := p.command.Wait(); err != nil {
		return fmt.Errorf("%s failed: %w", p.name, err)
	}
	return nil
}
