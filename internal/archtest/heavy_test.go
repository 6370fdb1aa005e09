package archtest

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// heavy are packages that the binary must do without, and why.
var heavy = map[string]string{
	"k8s.io/client-go/":                         "goldenarch never talks to a cluster, and the client for it would double the binary",
	"html/template":                             "it keeps every method of every type in the binary; see report/html.go",
	"github.com/GoogleContainerTools/":          "only programs that are built with kpt's SDK need fn/kptfn",
	"k8s.io/kube-openapi/pkg/validation/strfmt": "it compiles dozens of regular expressions at each start; kyaml's fn/framework brings it, which only fn needs",
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
