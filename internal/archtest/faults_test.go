package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// example is a list that the tests of the checks use, so that they do not change
// with the real one.
var example = []pkg{
	{path: "cmd", level: 4, idea: "the command line"},
	{path: "manifest", level: 3, idea: "files"},
	{path: "internal/registry", level: 2, users: []string{"cmd"}, idea: "registries"},
	{path: "plan", level: 2, pure: true, idea: "decisions"},
	{path: "cluster", level: 1, pure: true, idea: "nodes"},
	{path: "cr", level: 1, pure: true, idea: "the CR"},
	{path: "api", level: 1, pure: true, imports: []string{"arch"}, idea: "the kinds"},
	{path: "words", level: 0, pure: true, idea: "texts"},
	{path: "arch", level: 0, pure: true, idea: "words"},
}

// Each kind of fault is found in a source that has it.
func TestImportFaults(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason string
		path   string
		code   string
		want   string
	}{
		"Clean": {
			reason: "a pure package may use strings and what is of a lower level",
			path:   "cluster",
			code:   `import ("strings"; "github.com/goldenarch/goldenarch/arch")`,
		},
		"World": {
			reason: "the environment is not an input of a pure package",
			path:   "plan",
			code:   `import "os"`,
			want:   "plan is pure and imports os",
		},
		"WorldOfAnImpurePackage": {
			reason: "the command line may read files",
			path:   "cmd",
			code:   `import "os"`,
		},
		"Clock": {
			reason: "the clock makes two runs differ",
			path:   "plan",
			code:   `import "time"; var _ = time.Now()`,
			want:   "uses time.Now",
		},
		"ClockByAnotherName": {
			reason: "renaming the import hides nothing",
			path:   "arch",
			code:   `import clock "time"; var _ = clock.Since`,
			want:   "uses time.Since",
		},
		"Duration": {
			reason: "reading \"30s\" needs no clock",
			path:   "plan",
			code:   `import "time"; var _, _ = time.ParseDuration("30s")`,
		},
		"HigherLevel": {
			reason: "a package that knows who uses it cannot be used without it",
			path:   "cr",
			code:   `import "github.com/goldenarch/goldenarch/plan"`,
			want:   "cr (level 1) imports plan (level 2): a package imports only packages of lower levels",
		},
		"SameLevel": {
			reason: "two packages of one level stay apart",
			path:   "cluster",
			code:   `import "github.com/goldenarch/goldenarch/cr"`,
			want:   "a package imports only packages of lower levels",
		},
		"Users": {
			reason: "decisions are made from answers, not by asking",
			path:   "manifest",
			code:   `import "github.com/goldenarch/goldenarch/internal/registry"`,
			want:   `manifest imports registry, which only ["cmd"] may import`,
		},
		"UsersByName": {
			reason: "a user is named by the last element of its path",
			path:   "cmd",
			code:   `import "github.com/goldenarch/goldenarch/internal/registry"`,
		},
		"Imports": {
			reason: "the kinds are made of words alone",
			path:   "api",
			code:   `import "github.com/goldenarch/goldenarch/words"`,
			want:   `api imports words: of our packages it may import only ["arch"]`,
		},
		"ImportsByName": {
			reason: "and of what is not ours",
			path:   "api",
			code:   `import ("github.com/goldenarch/goldenarch/arch"; "k8s.io/api/core/v1")`,
		},
		"ImportWithoutRow": {
			reason: "a new package gets a row before somebody uses it",
			path:   "cmd",
			code:   `import "github.com/goldenarch/goldenarch/helpers"`,
			want:   "cmd imports helpers, which has no row",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x; "+tc.code, 0)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(importFaults(example, tc.path, &source{files: []*ast.File{file}}), "\n")
			if !strings.Contains(got, tc.want) || (tc.want == "" && got != "") {
				t.Errorf("%s\ngot  %q\nwant %q", tc.reason, got, tc.want)
			}
		})
	}
}

func TestListFaults(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason string
		list   []pkg
		paths  []string
		want   []string
	}{
		"Clean": {
			reason: "each package has a row and each row a package",
			list:   []pkg{{path: "", idea: "x"}, {path: "a/b", users: []string{"goldenarch"}, idea: "x"}},
			paths:  []string{"", "a/b"},
		},
		"NoRow": {
			reason: "a new package gets its place deliberately",
			paths:  []string{"helpers"},
			want:   []string{`package "helpers" has no row in packages_test.go: add one`},
		},
		"NoPackage": {
			reason: "a row that describes nothing misleads",
			list:   []pkg{{path: "gone", idea: "x"}},
			want:   []string{`the row "gone" has no package: remove it from packages_test.go, or correct its path`},
		},
		"NoIdea": {
			reason: "the docs say what each package does",
			list:   []pkg{{path: "a"}},
			paths:  []string{"a"},
			want:   []string{`the row "a" does not say what the package does`},
		},
		"OneNameForTwo": {
			reason: "users are names, so a name is of one package",
			list:   []pkg{{path: "a/lock", idea: "x"}, {path: "b/lock", idea: "x"}},
			paths:  []string{"a/lock", "b/lock"},
			want:   []string{`"a/lock" and "b/lock" have one name, so users cannot tell them apart: rename one`},
		},
		"NoSuchUser": {
			reason: "a user that is renamed or removed stays nowhere",
			list:   []pkg{{path: "a", users: []string{"gone"}, idea: "x"}},
			paths:  []string{"a"},
			want:   []string{`the row "a" allows "gone" to import it, which is the name of no package`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, listFaults(tc.list, tc.paths)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
