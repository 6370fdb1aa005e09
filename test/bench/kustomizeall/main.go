// Command kustomizeall builds directories with kustomize's library, one after the other in
// one process, and encodes the results as "kustomize build" does. It is what a check of
// these directories costs before anybody looks at the result:
//
//	kustomizeall DIRECTORY   builds each directory in it
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

var errUsage = errors.New("usage: kustomizeall DIRECTORY")

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "kustomizeall:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errUsage
	}
	entries, err := os.ReadDir(args[0])
	if err != nil {
		return fmt.Errorf("list the directories: %w", err)
	}
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionUnspecified
	for _, entry := range entries {
		dir := filepath.Join(args[0], entry.Name())
		resources, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), dir)
		if err != nil {
			return fmt.Errorf("build %s: %w", dir, err)
		}
		if _, err := resources.AsYaml(); err != nil {
			return fmt.Errorf("encode %s: %w", dir, err)
		}
	}
	return nil
}
