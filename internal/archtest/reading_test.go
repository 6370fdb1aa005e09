package archtest

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// opening are the ways to the content of a file, by package: what is not a regular
// file below a limit may have no end (see internal/files).
var opening = map[string][]string{
	"os":                                  {"Open", "OpenFile", "OpenInRoot", "ReadFile", "OpenRoot", "DirFS", "Create", "CopyFS"},
	"io/ioutil":                           {"ReadFile"},
	"io/fs":                               {"ReadFile"},
	"path/filepath":                       {"Walk", "WalkDir"},
	"sigs.k8s.io/kustomize/kyaml/filesys": {"MakeFsOnDisk"},
	"sigs.k8s.io/kustomize/kyaml/yaml":    {"ReadFile", "UpdateFile"},
	"sigs.k8s.io/kustomize/kyaml/kio":     {"LocalPackageReader", "LocalPackageReadWriter"},
}

// openers are the packages that may, and why.
var openers = map[string]map[string]string{
	"internal/files": {
		"OpenFile": "it is the way",
		"OpenRoot": "a directory, to write into it",
	},
	"internal/kustomize": {
		"OpenFile":     "os.DevNull, to write to",
		"MakeFsOnDisk": "kustomize asks it for names; disk.go reads the files",
	},
	"internal/manifest": {
		"OpenRoot": "Reader.Below keeps links in their directory; internal/files reads",
	},
	"internal/kustomize/worker": {"Open": "/proc/PID/statm of a process that it has started"},
	"test/kustomize":            {"MakeFsOnDisk": "it is kustomize, for tests"},
	"internal/memory":           {"ReadFile": "the kernel's files about control groups, by fixed names"},
	"internal/cli":              {"Open": "copy-to: this program itself"},
	"test/filetest":             {"Open": "the cases of a test", "ReadFile": "a page of the documentation"},
}

// TestFilesAreReadInOnePlace: nobody opens a file but through internal/files.
func TestFilesAreReadInOnePlace(t *testing.T) {
	t.Parallel()
	packages := load(t)
	used := map[string]map[string]bool{}
	for name, s := range packages {
		used[name] = map[string]bool{}
		for _, fault := range opened(name, s, used[name]) {
			t.Error(fault)
		}
	}
	for name, may := range openers {
		for _, what := range slices.Sorted(maps.Keys(may)) {
			if !used[name][what] {
				t.Errorf("%s has leave to use %s and does not: take it away", name, what)
			}
		}
	}
}

// opened returns how a package opens files past internal/files, and notes what it
// may use and does.
func opened(name string, s *source, used map[string]bool) []string {
	var list []string
	for path, ways := range opening {
		for _, what := range s.uses(path) {
			switch {
			case !slices.Contains(ways, what):
			case openers[name][what] != "":
				used[what] = true
			default:
				list = append(list, fmt.Sprintf("%s uses %s.%s: read the file with internal/files, or give it leave in reading_test.go", name, path, what))
			}
		}
	}
	return list
}
