package repo

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGlobOfAnApplication(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, glob, name string
		want               bool
	}{
		{"the same", "a.yaml", "a.yaml", true},
		{"* crosses directories", "*.yaml", "b/a.yaml", true},
		{"one character", "?.yaml", "a.yaml", true},
		{"alternatives", "{old/*,*.json}", "old/a.yaml", true},
		{"alternatives, the second", "{old/*,*.json}", "a.json", true},
		{"none of them", "{old/*,*.json}", "a.yaml", false},
		{"a character of a regular expression", "a.yaml", "aXyaml", false},
		{"a brace without an end", "{a,b", "b", true},
		{"a comma outside of braces", "a,b", "a,b", true},
	} {
		if got := globMatches(tc.glob, tc.name); got != tc.want {
			t.Errorf("%s: %q matches %q: want %v, got %v", tc.reason, tc.glob, tc.name, tc.want, got)
		}
	}
}

func TestFillOfAnApplicationSet(t *testing.T) {
	t.Parallel()
	p := parameters{"path": "clusters/a", "path.basename": "a", "values.env": "prod", "path[0]": "clusters"}
	for text, want := range map[string]string{
		"apps": "apps", "{{path}}": "clusters/a", "{{ .path.basename }}/x": "a/x", "{{- .values.env -}}": "prod", "{{path[0]}}/b": "clusters/b",
		"{{name}}": "", "{{ index .path.segments 1 }}": "",
	} {
		if got, known := p.fill(text); known != (want != "") || known && got != want {
			t.Errorf("%q: want %q, got %q, %v", text, want, got, known)
		}
	}
}

// TestCheckout: an Application of another repository is about other directories. A fork
// has another owner.
func TestCheckout(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, ".git/config", "[remote \"origin\"]\n\turl = git@github.com:me/Fleet.git\n")
	write(t, root, "sub/x.yaml", "")
	c := repositoryOf(filepath.Join(root, "sub"))
	if c.top != root {
		t.Errorf("want the top %s, got %s", root, c.top)
	}
	for url, want := range map[string]bool{
		"https://github.com/acme/fleet.git": true, "https://github.com/acme/fleet/": true, "https://github.com/acme/other": false,
		"{{repoURL}}": true, "": true,
	} {
		if got := c.is(url); got != want {
			t.Errorf("%q: want %v, got %v", url, want, got)
		}
	}
	if c := repositoryOf(t.TempDir()); !c.is("https://github.com/acme/other") {
		t.Error("without a known remote, any URL may be the repository's")
	}
}

// TestEachFileIsReadOnce: however many overlays share a base, its files count once.
func TestEachFileIsReadOnce(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "base/kustomization.yaml", "resources: [hco.yaml]\n")
	write(t, root, "base/hco.yaml", "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\n")
	for _, name := range []string{"a", "b", "c"} {
		write(t, root, "overlays/"+name+"/kustomization.yaml", "resources: [../../base]\n")
	}
	layout, err := Scan(root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var places []string
	for _, p := range layout.Places {
		places = append(places, filepath.Base(p.Path))
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, places); diff != "" {
		t.Errorf("the clusters (-want +got):\n%s", diff)
	}
	if layout.Files != 1 {
		t.Errorf("want 1 file read, got %d", layout.Files)
	}
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
