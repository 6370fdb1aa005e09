package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// source is the Go files of one package, tests apart.
type source struct {
	files []*ast.File
}

// load reads every package of the module, named by its path below its root.
// Nested modules, test data and hidden directories are not of the module.
func load(t *testing.T) map[string]*source {
	t.Helper()
	packages := map[string]*source{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && foreign(path):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(dir), ".")
		if packages[name] == nil {
			packages[name] = &source{}
		}
		packages[name].files = append(packages[name].files, file)
		return nil
	})
	if err != nil {
		t.Fatalf("cannot read the module's source: %v", err)
	}
	return packages
}

// foreign reports whether a directory is not of the module at the root.
func foreign(dir string) bool {
	if ignoredByGo(dir) {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// ignoredByGo reports whether the go command reads no package in a directory.
func ignoredByGo(dir string) bool {
	base := filepath.Base(dir)
	return base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")
}

// imports returns what the package imports, sorted, each once.
func (s *source) imports() []string {
	var list []string
	for _, file := range s.files {
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err == nil {
				list = append(list, path)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// uses returns the names that the package takes from an imported package,
// such as "Now" of "time".
func (s *source) uses(path string) []string {
	var list []string
	for _, file := range s.files {
		local := localName(file, path)
		ast.Inspect(file, func(n ast.Node) bool {
			if selector, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := selector.X.(*ast.Ident); ok && id.Name == local {
					list = append(list, selector.Sel.Name)
				}
			}
			return true
		})
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// localName returns the name by which a file knows an import; "" if it has it
// not.
func localName(file *ast.File, path string) string {
	for _, spec := range file.Imports {
		switch {
		case spec.Path.Value != strconv.Quote(path):
		case spec.Name != nil:
			return spec.Name.Name
		default:
			return path[strings.LastIndex(path, "/")+1:]
		}
	}
	return ""
}
