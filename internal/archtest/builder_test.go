package archtest

import (
	"maps"
	"slices"
	"testing"
)

// libraryUses are the packages that may use kustomize's library in their own process, and
// how. The library shares state within a process, opens connections and cannot be stopped.
var libraryUses = map[string][]string{
	"internal/kustomize":        {"sigs.k8s.io/kustomize/api/krusty"},
	"test/kustomize":            {"sigs.k8s.io/kustomize/api/krusty"},
	"internal/kustomize/worker": {module + "/internal/kustomize"},
}

// TestOnlyWorkersBuild: kustomize's library runs only in processes that do nothing else. All
// other code passes requests to them.
func TestOnlyWorkersBuild(t *testing.T) {
	t.Parallel()
	read := load(t)
	for _, at := range slices.Sorted(maps.Keys(read)) {
		faults := buildFaults(read[at])
		for path, used := range faults {
			if !slices.Contains(libraryUses[at], path) {
				t.Errorf("%s uses %v of %s: take a kustomization.Builder, such as a worker.Pool", at, used, path)
			}
		}
	}
	for at, paths := range libraryUses {
		for _, path := range paths {
			if read[at] == nil || len(buildFaults(read[at])[path]) == 0 {
				t.Errorf("%s does not use %s: remove it from the list", at, path)
			}
		}
	}
}

// buildFaults returns what a package uses to build in its own process, by import path.
func buildFaults(s *source) map[string][]string {
	out := map[string][]string{}
	for path, names := range map[string][]string{
		"sigs.k8s.io/kustomize/api/krusty": {"MakeKustomizer"},
		module + "/internal/kustomize":     {"Library", "Confine"},
	} {
		for _, used := range s.uses(path) {
			if slices.Contains(names, used) {
				out[path] = append(out[path], used)
			}
		}
	}
	return out
}
