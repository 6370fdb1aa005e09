package archtest

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

func TestPackagesImportWhatTheyMay(t *testing.T) {
	t.Parallel()
	read := load(t)
	if len(read) < 4 {
		t.Fatalf("only %d packages read from %s: the test looks in the wrong place", len(read), root)
	}
	for _, fault := range listFaults(packages, slices.Sorted(maps.Keys(read))) {
		t.Error(fault)
	}
	for _, at := range slices.Sorted(maps.Keys(read)) {
		for _, fault := range importFaults(packages, at, read[at]) {
			t.Error(fault)
		}
	}
}

// name returns what the list and the messages call a package.
func (p pkg) name() string {
	if strings.HasPrefix(p.path, "examples/") || p.path == "test/kustomize" {
		return p.path // an example may be about what a package is about, and that program is called as the one that it imitates
	}
	return path.Base(path.Join(module, p.path))
}

// row returns the row of a path.
func row(list []pkg, at string) (pkg, bool) {
	i := slices.IndexFunc(list, func(p pkg) bool { return p.path == at })
	if i < 0 {
		return pkg{}, false
	}
	return list[i], true
}

// listFaults returns what is wrong with the list itself, given the paths that have
// packages.
func listFaults(list []pkg, paths []string) []string {
	var faults []string
	names := map[string]string{}
	for _, p := range list {
		if other, ok := names[p.name()]; ok {
			faults = append(faults, fmt.Sprintf("%q and %q have one name, so users cannot tell them apart: rename one", other, p.path))
		}
		names[p.name()] = p.path
		if !slices.Contains(paths, p.path) {
			faults = append(faults, fmt.Sprintf("the row %q has no package: remove it from packages_test.go, or correct its path", p.path))
		}
		if p.idea == "" {
			faults = append(faults, fmt.Sprintf("the row %q does not say what the package does", p.path))
		}
	}
	for _, p := range list {
		for _, user := range p.users {
			if _, ok := names[user]; !ok {
				faults = append(faults, fmt.Sprintf("the row %q allows %q to import it, which is the name of no package", p.path, user))
			}
		}
		for _, imported := range p.imports {
			if _, ok := names[imported]; !ok {
				faults = append(faults, fmt.Sprintf("the row %q allows it to import %q, which is the name of no package", p.path, imported))
			}
		}
	}
	for _, at := range paths {
		if _, ok := row(list, at); !ok {
			faults = append(faults, fmt.Sprintf("package %q has no row in packages_test.go: add one", at))
		}
	}
	return faults
}

// importFaults returns what is wrong with the imports of one package. listFaults
// judges one that has no row.
func importFaults(list []pkg, at string, s *source) []string {
	here, ok := row(list, at)
	if !ok {
		return nil
	}
	var faults []string
	cli, _ := row(list, "internal/cli")
	for _, imported := range s.imports() {
		if below, ours := strings.CutPrefix(imported, module+"/"); ours {
			faults = append(faults, useFaults(list, here, below)...)
		} else if strings.HasPrefix(imported, "github.com/spf13/") && here.level < cli.level {
			faults = append(faults, fmt.Sprintf("%s imports %s: verbs carry values, and what is below them knows no flags", here.name(), imported))
		} else if what, bad := worldly[imported]; bad && here.pure {
			faults = append(faults, fmt.Sprintf("%s is pure and imports %s, which brings in %s", here.name(), imported, what))
		}
	}
	if here.pure {
		for _, used := range s.uses("time") {
			if !slices.Contains(timeless, used) {
				faults = append(faults, fmt.Sprintf("%s is pure and uses time.%s, which has a clock in it", here.name(), used))
			}
		}
	}
	return faults
}

// useFaults returns what is wrong with one package's import of another.
func useFaults(list []pkg, here pkg, target string) []string {
	there, ok := row(list, target)
	switch {
	case !ok:
		return []string{fmt.Sprintf("%s imports %s, which has no row in packages_test.go", here.name(), target)}
	case there.level >= here.level:
		return []string{fmt.Sprintf("%s (level %d) imports %s (level %d): a package imports only packages of lower levels",
			here.name(), here.level, there.name(), there.level)}
	case here.imports != nil && !slices.Contains(here.imports, there.name()):
		return []string{fmt.Sprintf("%s imports %s: of our packages it may import only %q", here.name(), there.name(), here.imports)}
	case there.users != nil && !slices.Contains(there.users, here.name()):
		return []string{fmt.Sprintf("%s imports %s, which only %q may import", here.name(), there.name(), there.users)}
	}
	return nil
}
