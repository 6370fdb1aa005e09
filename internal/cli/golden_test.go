package cli

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

var update = flag.Bool("update", false, "write what the verbs print into the golden files")

// The golden directories of a verb share what is the same in most of them, so that a case
// shows what is its own. The shared files are in testdata/shared/VERB:
//
//   - a case that lacks a file has the shared one: the arguments, the formats, an empty diff
//     or empty findings;
//   - a file of a case's tree whose only line is sharedMark has the text of the shared file of
//     its name.
//
// A test with -update applies both rules to all cases.
const sharedMark = "# shared\n"

// shared returns the text of a verb's shared file, for the path of a case's file.
func shared(path string) (text string, ok bool) {
	parts := strings.Split(filepath.ToSlash(path), "/")
	if len(parts) < 4 || parts[0] != "testdata" || parts[1] == "shared" {
		return "", false
	}
	data, err := os.ReadFile(filepath.Join("testdata", "shared", parts[1], filepath.Base(path)))
	return string(data), err == nil
}

// golden returns the text of a file of a golden directory.
func golden(t *testing.T, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	data, err := os.ReadFile(path)
	if text, ok := shared(path); ok && (errors.Is(err, fs.ErrNotExist) || string(data) == sharedMark) {
		return text
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// hold holds what came out against a golden file, or writes it there.
func hold(t *testing.T, dir, name, got string) {
	t.Helper()
	if *update {
		path := filepath.Join(dir, name)
		if text, ok := shared(path); ok && text == got {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			return
		}
		filetest.File(t, path, got)
		return
	}
	if diff := cmp.Diff(golden(t, dir, name), got); diff != "" {
		t.Errorf("%s (-golden +got); refresh with: go test ./internal/cli -update\n%s", name, diff)
	}
}

// copyTree copies the tree of a golden directory, with its shared files.
func copyTree(t *testing.T, dir, to string) {
	t.Helper()
	tree := filepath.Join(dir, "tree")
	if err := os.CopyFS(to, os.DirFS(tree)); err != nil {
		t.Fatal(err)
	}
	eachFile(t, tree, func(path string, text string) {
		if text != sharedMark {
			return
		}
		beside, err := filepath.Rel(tree, path)
		if err != nil {
			t.Fatal(err)
		}
		filetest.File(t, filepath.Join(to, beside), golden(t, filepath.Dir(path), filepath.Base(path)))
	})
}

// eachFile calls do with the files below a directory, other than links.
func eachFile(t *testing.T, dir string, do func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		do(path, string(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestGoldenDirectoriesShare: no case repeats what is shared, and no mark lacks its file.
func TestGoldenDirectoriesShare(t *testing.T) {
	t.Parallel()
	marks := 0
	eachFile(t, "testdata", func(path, text string) {
		same, ok := shared(path)
		inTree := strings.Contains(filepath.ToSlash(path), "/tree/")
		switch {
		case text == sharedMark && !(ok && inTree):
			t.Errorf("%s: the shared file is missing", path)
		case text == sharedMark:
			marks++
		case !ok || text != same:
		case *update && inTree:
			filetest.File(t, path, sharedMark)
		case *update:
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s repeats what is shared; run: go test ./internal/cli -update", path)
		}
	})
	if marks < 50 && !*update {
		t.Errorf("only %d files are shared", marks)
	}
}
