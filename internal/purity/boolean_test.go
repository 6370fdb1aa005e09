package purity

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNoNakedBooleans: no call of our own functions has true or false as an argument. The
// reader of such a call does not know what is true. Two functions, a constant or an option
// have a name.
func TestNoNakedBooleans(t *testing.T) {
	t.Parallel()
	packages := load(t, root)
	flags := map[string][]bool{}
	for _, s := range packages {
		s.addFlags(flags)
	}
	if len(flags) < 10 {
		t.Fatalf("only %d functions with boolean parameters read", len(flags))
	}
	for _, at := range slices.Sorted(maps.Keys(packages)) {
		for _, call := range packages[at].nakedBooleans(flags) {
			t.Errorf("%s calls %s: give the boolean a name", at, call)
		}
	}
}

// addFlags adds, by the name of each function of a package, which parameters are booleans.
func (s *source) addFlags(flags map[string][]bool) {
	for _, file := range s.files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			var of []bool
			for _, p := range f.Type.Params.List {
				id, named := p.Type.(*ast.Ident)
				for range max(1, len(p.Names)) {
					of = append(of, named && id.Name == "bool")
				}
			}
			if slices.Contains(of, true) {
				flags[f.Name.Name] = of
			}
		}
	}
}

// nakedBooleans returns the calls with true or false in the place of such a parameter.
func (s *source) nakedBooleans(flags map[string][]bool) []string {
	var found []string
	for _, file := range s.files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := ""
			switch f := call.Fun.(type) {
			case *ast.Ident:
				name = f.Name
			case *ast.SelectorExpr:
				name = f.Sel.Name
			}
			for i, arg := range call.Args {
				id, ok := arg.(*ast.Ident)
				if ok && (id.Name == "true" || id.Name == "false") && i < len(flags[name]) && flags[name][i] {
					found = append(found, fmt.Sprintf("%s(… %s …)", name, id.Name))
				}
			}
			return true
		})
	}
	return found
}

func TestNakedBooleansAreFound(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", `package x
func write(name string, whole bool) {}
func (t T) read(whole bool, n int) {}
func f(t T) { write("a", true); write("true", whole); t.read(false, 1); other(true); g(write) }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, flags := &source{files: []*ast.File{file}}, map[string][]bool{}
	s.addFlags(flags)
	if diff := cmp.Diff([]string{"write(… true …)", "read(… false …)"}, s.nakedBooleans(flags)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
