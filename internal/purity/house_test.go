package purity

import (
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

func TestEveryPackageKeepsItsPlace(t *testing.T) {
	t.Parallel()
	packages := load(t, root)
	if len(packages) < 4 {
		t.Fatalf("only %d packages read from %s: the test looks in the wrong place", len(packages), root)
	}
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		for _, fault := range faults(name, packages[name]) {
			t.Error(fault)
		}
	}
}

// heavy are packages that the binary must do without, and why.
var heavy = map[string]string{
	"k8s.io/client-go/":                        "goldenarch never talks to a cluster, and the client for it would double the binary",
	"sigs.k8s.io/kustomize/kyaml/fn/framework": "it brings along schemas, validators and templates, which each start would pay; see resourcelist",
	"html/template":                            "it keeps every method of every type in the binary; see report/html.go",
}

func TestTheBinaryIsLean(t *testing.T) {
	t.Parallel()
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", module)
	list.Dir = root
	var stderr strings.Builder
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("cannot list what the binary is made of: %v\n%s", err, stderr.String())
	}
	dependencies := strings.Fields(string(out))
	if !slices.Contains(dependencies, module) {
		t.Fatalf("go list -deps does not name %s itself", module)
	}
	for _, path := range dependencies {
		for prefix, why := range heavy {
			if strings.HasPrefix(path, prefix) {
				t.Errorf("the binary depends on %s: %s; find the way in with `go mod why %s`", path, why, path)
			}
		}
	}
}

// faults returns what is wrong with the imports of one package.
func faults(name string, s *source) []string {
	here, ok := rooms[name]
	if !ok {
		return []string{fmt.Sprintf("package %q has no row in rooms_test.go: give it its place", name)}
	}
	var list []string
	for _, path := range s.imports() {
		if below, ours := strings.CutPrefix(path, module+"/"); ours {
			list = append(list, arrow(name, here, below)...)
		} else if what, bad := worldly[path]; bad && here.pure {
			list = append(list, fmt.Sprintf("%s is pure and imports %s, which brings in %s", name, path, what))
		}
	}
	if here.pure {
		for _, used := range s.uses("time") {
			if !slices.Contains(timeless, used) {
				list = append(list, fmt.Sprintf("%s is pure and uses time.%s, which has a clock in it", name, used))
			}
		}
	}
	return list
}

// arrow returns what is wrong with one room's use of another.
func arrow(name string, here room, target string) []string {
	there, ok := rooms[target]
	switch {
	case !ok:
		return []string{fmt.Sprintf("%s imports %s, which has no row in rooms_test.go", name, target)}
	case there.floor >= here.floor:
		return []string{fmt.Sprintf("%s (floor %d) imports %s (floor %d): arrows run downwards only", name, here.floor, target, there.floor)}
	case there.users != nil && !slices.Contains(there.users, name):
		return []string{fmt.Sprintf("%s imports %s, which only %q may use", name, target, there.users)}
	}
	return nil
}
