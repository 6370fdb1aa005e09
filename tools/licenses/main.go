// Command licenses writes the licence texts of what is in Go binaries: of Go's own
// library, and of each module that the linker has put into one of them, from the
// module cache.
//
//	go run tools/licenses/main.go BINARY... >THIRD_PARTY_LICENSES
//
// The same modules give the same bytes. A module without a text is an error. It uses
// Go's library alone, so that it runs where only the sources of goldenarch are.
package main

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

func main() {
	text, err := run(os.Args[1:])
	if err == nil {
		_, err = os.Stdout.WriteString(text)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "licenses: %s\n", err)
		os.Exit(1)
	}
}

func run(binaries []string) (string, error) {
	if len(binaries) == 0 {
		return "", errors.New("usage: licenses BINARY...")
	}
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOROOT").Output()
	dirs := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(dirs) != 2 {
		return "", fmt.Errorf("ask go for its directories: %w", err)
	}
	modules := map[string]string{} // name and version to directory
	for _, binary := range binaries {
		info, err := buildinfo.ReadFile(binary)
		if err != nil {
			return "", fmt.Errorf("read the modules of %s: %w", binary, err)
		}
		modules["Go "+strings.TrimPrefix(info.GoVersion, "go")] = dirs[1]
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			modules[m.Path+" "+m.Version] = filepath.Join(dirs[0], filepath.FromSlash(escaped(m.Path)+"@"+escaped(m.Version)))
		}
	}
	return texts(modules)
}

// escaped returns a path or version as the module cache writes it: file systems may
// not tell upper case from lower case (golang.org/x/mod/module EscapePath).
func escaped(path string) string {
	var b strings.Builder
	for _, r := range path {
		if unicode.IsUpper(r) {
			b.WriteByte('!')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// texts returns the licence texts of modules, by their names. A text that several of
// them have is there once.
func texts(modules map[string]string) (string, error) {
	var all []string
	of := map[string][]string{}
	for _, module := range slices.Sorted(maps.Keys(modules)) {
		found, err := licenses(modules[module], strings.HasPrefix(module, "Go "))
		if err != nil {
			return "", fmt.Errorf("%s: %w", module, err)
		}
		if len(found) == 0 {
			return "", fmt.Errorf("%s: no licence text in %s", module, modules[module])
		}
		for _, one := range found {
			if of[one.text] == nil {
				all = append(all, one.text)
			}
			of[one.text] = append(of[one.text], module+": "+one.name)
		}
	}
	var out bytes.Buffer
	for _, text := range all {
		rule := strings.Repeat("=", 78)
		fmt.Fprintf(&out, "%s\n%s\n%s\n\n%s\n\n", rule, strings.Join(of[text], "\n"), rule, text)
	}
	return out.String(), nil
}

type license struct{ name, text string }

var isLicense = regexp.MustCompile(`(?i)^(licen[cs]e|notice|copying|copyright|patents)([.-].*)?$`)

// licenses returns the licence texts below a directory, sorted by name: code that a
// module has taken from others has its text beside it.
func licenses(dir string, onlyTop bool) ([]license, error) {
	var out []license
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != dir && (onlyTop || entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case !entry.Type().IsRegular() || !isLicense.MatchString(entry.Name()) || filepath.Ext(path) == ".go":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		out = append(out, license{filepath.ToSlash(name), strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n"))})
		return nil
	})
	return out, err
}
