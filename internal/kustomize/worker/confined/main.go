// Command confined does what a worker must not do, after it has confined itself as a
// worker does: it reads a file below the directory of its first argument, reads and writes
// one outside of it, starts a program, and connects to an address. It prints what was
// possible. Tests run it.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize/worker"
)

func main() {
	root, inside, outside, address := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	if err := worker.Restrict(root); err != nil {
		fmt.Println("restrict:", err)
		os.Exit(1)
	}
	for name, try := range map[string]func() error{
		"read-inside":  func() error { _, err := files.Read(inside); return err },
		"read-outside": func() error { _, err := files.Read(outside); return err },
		"write":        func() error { return os.Truncate(inside, 0) },
		"exec":         func() error { return exec.CommandContext(context.Background(), "/bin/true").Run() },
		"connect": func() error {
			connection, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", address)
			if err == nil {
				_ = connection.Close()
			}
			return err
		},
	} {
		if err := try(); err == nil {
			fmt.Println(name)
		}
	}
}
