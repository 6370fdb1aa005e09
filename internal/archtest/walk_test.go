package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// walkers are the directories that may walk the content of a YAML mapping themselves.
var walkers = []string{"internal/yamlnode/"}

// TestMappingsAreWalkedInOnePlace: only [yamlnode] goes through the keys and values of a
// mapping by their indexes. Everything else uses its accessors, which agree on aliases, merge
// keys and nulls.
func TestMappingsAreWalkedInOnePlace(t *testing.T) {
	t.Parallel()
	found := 0
	eachGoFile(t, func(path string, data []byte) {
		if strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/tools/") || strings.Contains(path, "/test/") {
			return
		}
		for _, line := range pairwise(t, path, data) {
			if isWalker(path) {
				found++
				continue
			}
			t.Errorf("%s:%d: the loop goes through a mapping by indexes: use yamlnode.Pairs, yamlnode.Fields or yamlnode.Get", path, line)
		}
	})
	if found == 0 {
		t.Error("the test finds no such loop in yamlnode, where some are: correct the test")
	}
}

func isWalker(path string) bool {
	for _, dir := range walkers {
		if strings.Contains(path, dir) {
			return true
		}
	}
	return false
}

// pairwise returns the lines of the loops of a file that take two steps at once, and that
// are about the content of a node.
func pairwise(t *testing.T, path string, data []byte) []int {
	t.Helper()
	if !strings.Contains(string(data), "yaml") {
		return nil
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, data, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	ast.Inspect(file, func(n ast.Node) bool {
		loop, is := n.(*ast.ForStmt)
		if !is {
			return true
		}
		step, is := loop.Post.(*ast.AssignStmt)
		if !is || len(step.Rhs) != 1 {
			return true
		}
		if two, is := step.Rhs[0].(*ast.BasicLit); is && two.Value == "2" && (step.Tok == token.ADD_ASSIGN || step.Tok == token.SUB_ASSIGN) {
			out = append(out, files.Position(loop.Pos()).Line)
		}
		return true
	})
	return out
}
