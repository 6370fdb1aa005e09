// Package filetest writes the files that a test needs, reads those with its cases, compares parts
// of pages with what a test makes, and has a disk that fails.
package filetest

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// New writes files into a new directory, and returns it.
func New(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	Write(t, dir, files)
	return dir
}

// Write writes files by their names below a directory, with slashes.
func Write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		File(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
}

// File writes one file, and makes its directory.
func File(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// JSONLines reads a compressed file with a value in each line.
func JSONLines[T any](t testing.TB, path string) []T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		out = append(out, one)
	}
	if err := errors.Join(lines.Err(), unzipped.Close()); err != nil {
		t.Fatal(err)
	}
	return out
}

// Read returns the content of a file.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Replace replaces the first place of a text in a file, which must have it.
func Replace(t testing.TB, path, old, now string) {
	t.Helper()
	text := string(Read(t, path))
	if !strings.Contains(text, old) {
		t.Fatalf("%s has no %q:\n%s", path, old, text)
	}
	File(t, path, strings.Replace(text, old, now, 1))
}
