package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// nolintlint reports an unused directive only if the linter that it names runs, so
// a directive for a disabled linter would stay for ever.
func TestEachNolintNamesALinterThatRuns(t *testing.T) {
	t.Parallel()
	disabled := disabledLinters(t)
	eachGoFile(t, func(path string, data []byte) {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range nolintFaults(files, file, disabled) {
			t.Error(fault)
		}
	})
}

// nolintFaults returns what is wrong with the nolint directives of one file.
func nolintFaults(files *token.FileSet, file *ast.File, disabled []string) []string {
	var list []string
	for _, group := range file.Comments {
		for _, comment := range group.List {
			directive, ok := strings.CutPrefix(strings.TrimLeft(comment.Text, "/* "), "nolint")
			if !ok {
				continue
			}
			at := files.Position(comment.Pos())
			linters, ok := strings.CutPrefix(directive, ":")
			if !ok {
				if directive == "" || strings.HasPrefix(directive, " ") {
					list = append(list, fmt.Sprintf("%s: the directive silences every linter: name the one it is for", at))
				}
				continue
			}
			linters, _, _ = strings.Cut(linters, " ")
			for name := range strings.SplitSeq(linters, ",") {
				if slices.Contains(disabled, name) {
					list = append(list, fmt.Sprintf("%s: .golangci.yml disables %s: remove it from the directive", at, name))
				}
			}
		}
	}
	return list
}

func disabledLinters(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, ".golangci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Linters struct {
			Default string   `json:"default"`
			Disable []string `json:"disable"`
		} `json:"linters"`
	}
	if err := yaml.Unmarshal(data, &config); err != nil {
		t.Fatal(err)
	}
	if config.Linters.Default != "all" || len(config.Linters.Disable) == 0 {
		t.Fatalf("linters: got default %q and %d disabled, expected all and a list: adapt this test", config.Linters.Default, len(config.Linters.Disable))
	}
	return config.Linters.Disable
}

func TestNolintFaults(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason, code string
		want         []string
	}{
		"Runs": {
			reason: "a directive for a linter that runs is nolintlint's to judge",
			code:   "var x = 1 //nolint:gosec // small",
		},
		"Disabled": {
			reason: "the linter is off, so the directive does nothing",
			code:   "var x = 1 //nolint:wrapcheck // small",
			want:   []string{"x.go:2:11: .golangci.yml disables wrapcheck: remove it from the directive"},
		},
		"OneOfTwo": {
			reason: "each name of a directive counts",
			code:   "//nolint:gosec,mnd // small\nvar x = 1",
			want:   []string{"x.go:2:1: .golangci.yml disables mnd: remove it from the directive"},
		},
		"Spaced": {
			reason: "golangci-lint reads a directive after a blank too",
			code:   "var x = 1 // nolint:mnd",
			want:   []string{"x.go:2:11: .golangci.yml disables mnd: remove it from the directive"},
		},
		"Every": {
			reason: "without a name every linter is silent",
			code:   "var x = 1 //nolint // small",
			want:   []string{"x.go:2:11: the directive silences every linter: name the one it is for"},
		},
		"Prose": {
			reason: "a comment about a directive is none",
			code:   "// nolintlint judges directives.\nvar x = 1",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, "x.go", "package x\n"+tc.code, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, nolintFaults(files, file, []string{"wrapcheck", "mnd"})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
