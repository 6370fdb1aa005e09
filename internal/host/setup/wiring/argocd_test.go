package wiring

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goldenarch/goldenarch/internal/host/setup"
)

// TestApplicationOfADirectory: an Application counts in each form that Argo CD reads.
func TestApplicationOfADirectory(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n"
	const plugin = "{path: prod, plugin: {}}"
	for _, tc := range []struct{ reason, text, want string }{
		{"one source", head + "spec: {source: {path: ./prod}}\n", "spec.source"},
		{"of another directory", head + "spec: {source: {path: lab}}\n", ""},
		{"with a plugin", head + "spec: {source: " + plugin + "}\n", ""},
		{"several sources", head + "spec: {sources: [{path: lab}, {path: prod/}]}\n", "spec.sources[1]"},
		{"the one of several has a plugin", head + "spec: {sources: [{path: lab}, " + plugin + "]}\n", ""},
		{"Argo CD ignores source if there are sources", head + "spec: {source: {path: prod}, sources: [{path: lab}]}\n", ""},
		{"no source counts", head + "spec: {source: {path: prod}, sources: []}\n", "spec.source"},
		{"an alias", head + "x: &x {path: prod}\nspec: {sources: [*x]}\n", "spec.sources[0]"},
		{
			"in a List", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: argoproj.io/v1alpha1\n  kind: Application\n  spec: {source: {path: prod}}\n",
			"items[0].spec.source",
		},
		{"of another group", "apiVersion: example.com/v1\nkind: Application\n# argoproj.io\nspec: {source: {path: prod}}\n", ""},
	} {
		root := t.TempDir()
		dir := filepath.Join(root, "prod")
		for _, made := range []string{dir, filepath.Join(root, ".git")} {
			if err := os.Mkdir(made, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(root, "app.yaml"), []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		w := Wiring{Dir: dir, Host: setup.HostKustomize}
		got := ""
		for _, f := range w.Application() {
			got += f.Field
		}
		if got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
