package archtest

import (
	"go/ast"
	"testing"
)

// mostFiles is in how many files a type may have methods. Who looks for one searches in them all.
const mostFiles = 5

// TestMethodsAreInFewFiles: the methods of a type are in one file or two, or a few of a large one.
func TestMethodsAreInFewFiles(t *testing.T) {
	t.Parallel()
	types := 0
	for at, read := range load(t) {
		files := map[string]int{} // by type
		for _, file := range read.files {
			for name := range receivers(file) {
				files[name]++
			}
		}
		for name, n := range files {
			if types++; n > mostFiles {
				t.Errorf("%s: the methods of %s are in %d files, want at most %d", at, name, n, mostFiles)
			}
		}
	}
	if types < 300 {
		t.Errorf("only %d types with methods found: the test looks in the wrong place", types)
	}
}

// receivers returns the types that have methods in a file.
func receivers(file *ast.File) map[string]bool {
	out := map[string]bool{}
	for _, decl := range file.Decls {
		method, is := decl.(*ast.FuncDecl)
		if !is || method.Recv == nil {
			continue
		}
		of := method.Recv.List[0].Type
		if pointer, is := of.(*ast.StarExpr); is {
			of = pointer.X
		}
		if generic, is := of.(*ast.IndexExpr); is {
			of = generic.X
		}
		if name, is := of.(*ast.Ident); is {
			out[name.Name] = true
		}
	}
	return out
}
