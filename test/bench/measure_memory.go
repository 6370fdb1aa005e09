package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// measured runs a program once, as call does, and finds out its memory too. The
// program is started by a small one: a process's maximum would else begin with
// what this program has in memory.
func (t tools) measured(env []string, stdin []byte, program string, args ...string) (cost, error) {
	return measuredBy(t["launch"], env, stdin, program, args...)
}

// withChildren measures a program with the processes that it starts.
func (t tools) withChildren(env []string, program string, args ...string) (cost, error) {
	return measuredBy(t["together"], env, nil, program, args...)
}

func measuredBy(launcher string, env []string, stdin []byte, program string, args ...string) (cost, error) {
	result, costs, err := os.Pipe()
	if err != nil {
		return cost{}, fmt.Errorf("make a pipe: %w", err)
	}
	defer result.Close()
	command := exec.CommandContext(context.Background(), launcher, append([]string{program}, args...)...)
	command.Env = append(os.Environ(), env...)
	var errs bytes.Buffer
	command.Stdin, command.Stderr = bytes.NewReader(stdin), &errs
	command.ExtraFiles = []*os.File{costs}
	err = command.Run()
	costs.Close()
	if err != nil {
		return cost{}, fmt.Errorf("%s: %w\n%s", program, err, errs.Bytes())
	}
	line, err := io.ReadAll(result)
	if err != nil {
		return cost{}, fmt.Errorf("read what %s took: %w", program, err)
	}
	var wall, cpu, memory int64
	if _, err := fmt.Sscan(string(line), &wall, &cpu, &memory); err != nil {
		return cost{}, fmt.Errorf("read what %s took from %q: %w", program, line, err)
	}
	return cost{wall: time.Duration(wall), cpu: time.Duration(cpu), memory: memory}, nil
}
