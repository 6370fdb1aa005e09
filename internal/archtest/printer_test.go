package archtest

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
)

// printers are the packages that may touch the streams of the process, and why.
var printers = map[string]string{
	"internal/console":   "it is the printer",
	"test/demo":          "a program of its own, for developers",
	"test/fence":         "a program of its own, for tests",
	"test/kustomize":     "a program of its own, for tests",
	"test/launch":        "a program of its own, for tests",
	"internal/kustomize": "it silences kustomize's library, which prints by itself",

	"internal/kustomize/worker":          "its standard output leads to the process that started it",
	"internal/kustomize/worker/confined": "a program of its own, for tests",
}

// TestOnePrinter: text of others reaches a terminal or the log of a CI system only through
// package console. What prints around it prints a command, an escape sequence or a login as
// it came.
func TestOnePrinter(t *testing.T) {
	t.Parallel()
	read := load(t)
	for _, at := range slices.Sorted(maps.Keys(read)) {
		if printers[at] == "" {
			for _, fault := range printFaults(read[at]) {
				t.Errorf("%s %s: print with the console.Printer of the run", at, fault)
			}
		}
	}
	for at := range printers {
		if read[at] == nil || len(printFaults(read[at])) == 0 {
			t.Errorf("%s prints nothing by itself: remove it from the list", at)
		}
	}
}

// ofLogger are the functions of Go's standard logger.
var ofLogger = []string{
	"Print", "Printf", "Println", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln", "Output", "Default", "Writer", "SetOutput", "SetFlags", "SetPrefix",
}

// printFaults returns how a package prints without the printer.
func printFaults(s *source) []string {
	var faults []string
	for path, names := range map[string][]string{"os": {"Stderr", "Stdout"}, "fmt": {"Print", "Printf", "Println"}, "log": ofLogger} {
		for _, used := range s.uses(path) {
			if slices.Contains(names, used) {
				faults = append(faults, "uses "+path+"."+used)
			}
		}
	}
	for _, file := range s.files {
		if file.Name.Name == "cli" && !declares(file, "Streams") { // which gives them to the printer
			faults = append(faults, streamFaults(file)...)
		}
	}
	return faults
}

// declares reports whether a file declares a type.
func declares(file *ast.File, name string) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		found = found || ok && spec.Name.Name == name
		return !found
	})
	return found
}

// streamFaults returns the places that write to the Out or Err of the Streams of a verb, or
// through cobra, whose methods choose standard error by themselves.
func streamFaults(file *ast.File) []string {
	var faults []string
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		on := ""
		switch x := selector.X.(type) {
		case *ast.Ident:
			on = x.Name
		case *ast.SelectorExpr:
			on = x.Sel.Name
		}
		isStream := strings.EqualFold(on, "streams") && (selector.Sel.Name == "Out" || selector.Sel.Name == "Err")
		isCobra := (on == "cmd" || on == "root") && strings.HasPrefix(selector.Sel.Name, "Print")
		if isStream || isCobra {
			faults = append(faults, "writes to "+on+"."+selector.Sel.Name)
		}
		return true
	})
	return faults
}
