package flux

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// apiserver builds the API server with the settings of the tests in Argo CD, so that it is compiled once, and returns where it is.
var apiserver = sync.OnceValues(func() (string, error) {
	program := filepath.Join(programs, "apiserver")
	command := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, ".")
	command.Dir = "../apiserver"
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS='-gcflags=all=-N -l -dwarf=false'")
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the API server: %w\n%s", err, out)
	}
	return program, nil
})

// applied applies objects to an API server, twice, and returns what it says: a line for each object that the second time did not
// change, or why not.
func applied(t *testing.T, objects []string) string {
	t.Helper()
	program, err := apiserver()
	if err != nil {
		t.Fatalf("without an API server this test proves nothing: %v", err)
	}
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), program)
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(strings.Join(objects, "\n")), &stdout, &stderr
	if err := command.Run(); err != nil {
		return stderr.String()
	}
	return stdout.String()
}

// TestFluxAppliesTheSameTwice: after init and lock, and with the objects that goldenarch emits, all that Flux builds of the whole
// repository is applied strictly and server-side. The second time changes nothing.
func TestFluxAppliesTheSameTwice(t *testing.T) {
	t.Parallel()
	root := afterInit(t)
	text := rendered(t, filepath.Join(root, "virt"), "--offline", "--set", "expand=Emit", "--release", "1.19",
		"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64")
	_, emitted, _ := strings.Cut(text, "\n---\n") // after the CR, which is there already
	if err := os.WriteFile(filepath.Join(root, "virt", "emitted.yaml"), []byte(emitted), 0o600); err != nil {
		t.Fatal(err)
	}
	resources, err := builtAt(t, root, root, fluxKustomization(nil))
	if err != nil {
		t.Fatal(err)
	}
	var objects []string
	for _, r := range resources.Resources() {
		object, err := r.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, string(object))
	}
	want := []string{
		"unchanged DataImportCron appliance-image-cron-amd64", "unchanged DataImportCron fedora-image-cron-amd64",
		"unchanged DataImportCron fedora-image-cron-arm64", "unchanged DataSource appliance", "unchanged DataSource appliance-amd64",
		"unchanged DataSource fedora", "unchanged DataSource fedora-amd64", "unchanged DataSource fedora-arm64",
		"unchanged HyperConverged kubevirt-hyperconverged",
	}
	if diff := cmp.Diff(want, sortedLines(applied(t, objects))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func sortedLines(text string) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	slices.Sort(lines)
	return lines
}

// TestAPIServerRefuses: what the API server does not know it refuses, so that the test above can fail.
func TestAPIServerRefuses(t *testing.T) {
	t.Parallel()
	const source = `{"apiVersion":"cdi.kubevirt.io/v1beta1","kind":"DataSource","metadata":{"name":"a","namespace":"b"},"spec":{"source":{%s}}}`
	for _, tc := range []struct{ reason, object, want string }{
		{"a kind of goldenarch", `{"apiVersion":"goldenarch.dev/v1alpha1","kind":"Fleet","metadata":{"name":"f"}}`, `no matches for kind "Fleet"`},
		{"a field that the CRD does not have", fmt.Sprintf(source, `"dataSuorce":{}`), `field not declared in schema`},
		{"a value that is not valid", fmt.Sprintf(source, `"dataSource":{"name":"a"}`), `namespace: Required value`},
	} {
		if got := applied(t, []string{tc.object}); !strings.Contains(got, tc.want) {
			t.Errorf("%s: want %q in\n%s", tc.reason, tc.want, got)
		}
	}
}
