package english

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// source is what people read of the program: its string literals.
type source struct {
	literals []text
}

// prose is a literal that has words and blanks: no field path, no pattern, no flag.
var prose = regexp.MustCompile(`[a-z]{2,} [a-z%]|[a-z]{2,}[,;:.] `)

func readSource(t *testing.T) source {
	t.Helper()
	var out source
	files := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if skipped(strings.TrimPrefix(filepath.ToSlash(path), root+"/")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files++
		return out.add(path)
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 100 || len(out.literals) < 500 {
		t.Fatalf("found %d files with %d literals: too few to be the program", files, len(out.literals))
	}
	return out
}

// skipped reports whether a directory is no part of what users and importers read.
func skipped(dir string) bool {
	return dir == "test" || dir == "tools" || strings.HasPrefix(dir, ".g") && dir != ".." ||
		slices.Contains([]string{"testdata", "bin", "dist"}, filepath.Base(dir)) ||
		dir == "test/registrytest" || dir == "test/filetest"
}

func (s *source) add(path string) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	path = strings.TrimPrefix(filepath.ToSlash(path), root+"/")
	at := func(n ast.Node) int { return set.Position(n.Pos()).Line }
	joined := map[ast.Node]bool{} // parts of "a" + "b", which are read as one
	ast.Inspect(file, func(n ast.Node) bool {
		if _, isImport := n.(*ast.ImportSpec); isImport || n != nil && joined[n] {
			return false
		}
		expr, isExpr := n.(ast.Expr)
		if !isExpr {
			return true
		}
		value, ok := literal(expr, joined)
		if ok && prose.MatchString(value) {
			s.literals = append(s.literals, text{path, at(expr), inlineCode.ReplaceAllString(value, "X")})
		}
		return true
	})
	return nil
}

// literal returns the text of a string literal, or of literals and other values
// that are joined: what is not a literal counts as a word.
func literal(expr ast.Expr, joined map[ast.Node]bool) (string, bool) {
	switch e := expr.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		value, err := strconv.Unquote(e.Value)
		return value, err == nil
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		left, isLeft := literal(e.X, joined)
		right, isRight := literal(e.Y, joined)
		if !isLeft && !isRight {
			return "", false
		}
		if isLeft {
			joined[e.X] = true
		} else {
			left = "X"
		}
		if isRight {
			joined[e.Y] = true
		} else {
			right = "X"
		}
		return left + right, true
	default:
		return "", false
	}
}
