package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// counted is what a package has.
type counted struct{ files, lines, tests int }

// lines counts the files and lines of each package of the product, and those of its tests.
func lines(root string) error {
	packages := map[string]counted{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && path != root || entry.Name() == "testdata"):
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		data, err := os.ReadFile(path) //nolint:gosec // G122: a tree of the developer's own
		if err != nil {
			return fmt.Errorf("read a file: %w", err)
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return fmt.Errorf("name a package: %w", err)
		}
		c := packages[dir]
		if n := bytes.Count(data, []byte("\n")); strings.HasSuffix(path, "_test.go") || strings.HasPrefix(dir, "test") {
			c.tests += n
		} else {
			c.lines, c.files = c.lines+n, c.files+1
		}
		packages[dir] = c
		return nil
	})
	if err != nil {
		return fmt.Errorf("count the lines: %w", err)
	}
	var all counted
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		c := packages[dir]
		fmt.Fprintf(os.Stdout, "%-45s %3d files %6d lines %6d of tests\n", dir, c.files, c.lines, c.tests)
		all = counted{all.files + c.files, all.lines + c.lines, all.tests + c.tests}
	}
	fmt.Fprintf(os.Stdout, "%-45s %3d files %6d lines %6d of tests\n", "together", all.files, all.lines, all.tests)
	return nil
}
