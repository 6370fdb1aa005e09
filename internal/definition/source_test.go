package definition

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

const (
	root   = "../.."
	module = "github.com/goldenarch/goldenarch"
)

// source is what only the text of a package knows of its types.
type source struct {
	comments map[string]string   // by "Type" or "Type.Field"
	values   map[string][]string // the constants of a type of strings, in order
	meanings map[string]string   // what the comment of these constants says
}

// sources reads the packages that types are of, each once.
type sources map[string]*source

func (s sources) of(t *testing.T, typ reflect.Type) *source {
	t.Helper()
	path := typ.PkgPath()
	if s[path] == nil {
		s[path] = read(t, filepath.Join(root, strings.TrimPrefix(path, module)))
	}
	return s[path]
}

func read(t *testing.T, dir string) *source {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no source in %s (%v)", dir, err)
	}
	out := &source{comments: map[string]string{}, values: map[string][]string{}, meanings: map[string]string{}}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range parsed.Decls {
			if general, ok := declaration.(*ast.GenDecl); ok {
				out.declaration(t, general)
			}
		}
	}
	return out
}

func (s *source) declaration(t *testing.T, d *ast.GenDecl) {
	t.Helper()
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.comments[spec.Name.Name] = prose(d.Doc)
			if fields, ok := spec.Type.(*ast.StructType); ok {
				for _, field := range fields.Fields.List {
					for _, name := range field.Names {
						s.comments[spec.Name.Name+"."+name.Name] = prose(field.Doc)
					}
				}
			}
		case *ast.ValueSpec:
			named, ok := spec.Type.(*ast.Ident)
			if !ok || d.Tok != token.CONST {
				continue
			}
			for _, value := range spec.Values {
				literal, is := value.(*ast.BasicLit)
				if !is {
					continue // a constant of another package
				}
				text, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				s.values[named.Name] = append(s.values[named.Name], text)
				s.meanings[named.Name] = prose(d.Doc)
			}
		}
	}
}

// prose is a comment as one line.
func prose(comment *ast.CommentGroup) string {
	return strings.Join(strings.Fields(comment.Text()), " ")
}
