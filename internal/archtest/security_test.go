package archtest

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const (
	promisesPage = "../../docs/dev/promises.md"
	limitsPage   = "../../docs/dev/limits.md"
)

var (
	// named matches a test as docs/dev/promises.md names it: a package, a test, and a
	// case of it or none.
	named = regexp.MustCompile("`([a-z0-9/]+): ((?:Test|Fuzz)[A-Za-z0-9]+)(?:/([A-Za-z0-9, ]+))?`")
	// anyTest matches a test however it is named.
	anyTest = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z][A-Za-z0-9]+`)
	// limitRow matches a row of the tables of limits that names a constant: the
	// default and the constant.
	limitRow = regexp.MustCompile("(?m)^\\|[^|]*\\|([^|]*)\\|[^|]*\\| `([a-z0-9/]+)\\.([A-Za-z]+)` \\|[^|]*\\|$")
)

// TestPromisesNameTheirTests: each test that docs/dev/promises.md or docs/dev/limits.md names exists, and so
// does the case, and each row of a table of promises or limits names one.
func TestPromisesNameTheirTests(t *testing.T) {
	t.Parallel()
	page := readPage(t, promisesPage) + readPage(t, limitsPage)
	found := named.FindAllStringSubmatch(page, -1)
	if all := anyTest.FindAllString(page, -1); len(all) != len(found) || len(found) < 60 {
		t.Errorf("the page names %d tests, %d of them as `package: Test` or `package: Test/Case`", len(all), len(found))
	}
	for _, n := range found {
		text := testsOf(t, n[1])
		if !strings.Contains(text, "\nfunc "+n[2]+"(") {
			t.Errorf("%s: no test %s found", n[1], n[2])
		}
		if n[3] != "" && !regexp.MustCompile(`\b`+n[3]+`\b`).MatchString(text) {
			t.Errorf("%s: %s has no case %s", n[1], n[2], n[3])
		}
	}
	tests, _, _ := strings.Cut(page, "## The process that builds")
	rows := 0
	for line := range strings.Lines(tests + readPage(t, limitsPage)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| promise ") || strings.HasPrefix(line, "| limit ") {
			continue
		}
		if rows++; !named.MatchString(line) {
			t.Errorf("the row names no test: %s", line)
		}
	}
	if rows < 50 {
		t.Errorf("only %d rows found", rows)
	}
}

// TestLimitsAreThoseOfTheCode: the default of each row that names a constant is its
// value.
func TestLimitsAreThoseOfTheCode(t *testing.T) {
	t.Parallel()
	rows := limitRow.FindAllStringSubmatch(readPage(t, limitsPage), -1)
	if len(rows) < 25 {
		t.Fatalf("only %d rows of %s name a constant", len(rows), limitsPage)
	}
	packages := load(t)
	for _, row := range rows {
		shown, pkg, name := strings.TrimSpace(row[1]), row[2], row[3]
		value, err := valueOf(packages[pkg], name)
		if err != nil {
			t.Errorf("%s.%s: %v", pkg, name, err)
			continue
		}
		if !writtenAs(value, shown) {
			t.Errorf("%s.%s is %d, and %s says %q", pkg, name, value, limitsPage, shown)
		}
	}
}

// writtenAs reports whether a text is a number, a size or a duration.
func writtenAs(value int64, text string) bool {
	number, unit, _ := strings.Cut(text, " ")
	factor, known := map[string]int64{
		"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "s": int64(time.Second), "min": int64(time.Minute),
	}[unit]
	var n int64
	_, err := fmt.Sscan(strings.ReplaceAll(number, ",", ""), &n)
	return known && err == nil && n*factor == value
}

// valueOf returns the value of a constant of a package.
func valueOf(s *source, name string) (int64, error) {
	if s == nil {
		return 0, fmt.Errorf("no such package")
	}
	for _, file := range s.files {
		for _, decl := range file.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok || general.Tok != token.CONST {
				continue
			}
			for _, spec := range general.Specs {
				values, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for i, id := range values.Names {
					if id.Name == name && i < len(values.Values) {
						return evaluated(values.Values[i])
					}
				}
			}
		}
	}
	return 0, fmt.Errorf("no such constant")
}

// evaluated returns the value of an expression of numbers and units of time.
func evaluated(expression ast.Expr) (int64, error) {
	text := strings.NewReplacer("time.Second", "1000000000", "time.Minute", "60000000000").Replace(types.ExprString(expression))
	result, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text)
	if err != nil {
		return 0, err
	}
	value, exact := constant.Int64Val(constant.ToInt(result.Value))
	if !exact {
		return 0, fmt.Errorf("%s is not a whole number", text)
	}
	return value, nil
}

func readPage(t *testing.T, page string) string {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// testsOf returns the text of a package's tests.
func testsOf(t *testing.T, pkg string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, pkg, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Errorf("the package %s has no tests (%v)", pkg, err)
	}
	var all strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}
