package purity

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// The watch is watched: each kind of fault is seen in a source that has it.
func TestFaultsAreSeen(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason string
		room   string
		code   string
		want   string
	}{
		"Clean": {
			reason: "a pure room may use strings and what lies below it",
			room:   "cluster",
			code:   `import ("strings"; "github.com/goldenarch/goldenarch/arch")`,
		},
		"World": {
			reason: "the environment is not an input of a pure room",
			room:   "plan",
			code:   `import "os"`,
			want:   "plan is pure and imports os",
		},
		"WorldAboveThePureRooms": {
			reason: "the command line may read files",
			room:   "cmd",
			code:   `import "os"`,
		},
		"Clock": {
			reason: "the clock makes two runs differ",
			room:   "api/v1alpha1",
			code:   `import "time"; var _ = time.Now()`,
			want:   "uses time.Now",
		},
		"ClockByAnotherName": {
			reason: "renaming the import hides nothing",
			room:   "arch",
			code:   `import clock "time"; var _ = clock.Since`,
			want:   "uses time.Since",
		},
		"Duration": {
			reason: "reading \"30s\" needs no clock",
			room:   "api/v1alpha1",
			code:   `import "time"; var _, _ = time.ParseDuration("30s")`,
		},
		"Upwards": {
			reason: "a room that knows who uses it cannot be used without it",
			room:   "hyperconverged",
			code:   `import "github.com/goldenarch/goldenarch/plan"`,
			want:   "arrows run downwards only",
		},
		"Sideways": {
			reason: "two rooms of one floor stay apart",
			room:   "cluster",
			code:   `import "github.com/goldenarch/goldenarch/hyperconverged"`,
			want:   "arrows run downwards only",
		},
		"RegistryOutsideItsUsers": {
			reason: "decisions are made from answers, not by asking",
			room:   "manifest",
			code:   `import "github.com/goldenarch/goldenarch/registry"`,
			want:   "which only",
		},
		"NoRow": {
			reason: "a new room is placed deliberately",
			room:   "helpers",
			code:   `import "strings"`,
			want:   `package "helpers" has no row`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x; "+tc.code, 0)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(faults(tc.room, &source{files: []*ast.File{file}}), "\n")
			if !strings.Contains(got, tc.want) || (tc.want == "" && got != "") {
				t.Errorf("%s\ngot  %q\nwant %q", tc.reason, got, tc.want)
			}
		})
	}
}
