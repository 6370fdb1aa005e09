package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// sharing are modules of the repository whose tests share what Go compiles: the first of each list
// says which versions.
var sharing = [][]string{
	{".", "test/bench", "test/crd", "test/edits", "test/embed", "test/olm", "test/oracle", "test/e2e", "test/e2e/flux"},
	{"test/e2e/argocd", "test/e2e/apiserver", "test/e2e/helm3", "test/e2e/helm4", "test/e2e/kptfn"},
}

// shared matches a requirement of what nearly all packages import.
var shared = regexp.MustCompile(`(?m)^\t?(?:require )?(k8s\.io/\S+|golang\.org/x/(?:net|sys|text)|google\.golang\.org/protobuf|` +
	`sigs\.k8s\.io/(?:json|structured-merge-diff/\S+)|go\.yaml\.in/yaml/v3) (v\S+)`)

// TestModulesShareVersions: another version of one module makes Go compile all of Kubernetes once
// more, which takes minutes.
func TestModulesShareVersions(t *testing.T) {
	t.Parallel()
	for _, modules := range sharing {
		versions, from := map[string]string{}, map[string]string{}
		for _, dir := range modules {
			text, err := os.ReadFile(filepath.Join(root, dir, "go.mod"))
			if err != nil {
				t.Fatal(err)
			}
			found := shared.FindAllStringSubmatch(string(text), -1)
			if len(found) < 3 {
				t.Errorf("%s requires only %d of the modules that are compared", dir, len(found))
			}
			for _, one := range found {
				path, version := one[1], one[2]
				if had := versions[path]; had != "" && had != version {
					t.Errorf("%s requires %s %s, and %s requires %s: go get %s@%s, or raise the others", dir, path, version, from[path], had, path, had)
				}
				versions[path], from[path] = version, dir
			}
		}
	}
}
