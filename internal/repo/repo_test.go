package repo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
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
		{"one of some characters", "[ab^-].yaml", "b.yaml", true},
		{"one of some characters, none of them", "[ab].yaml", "c.yaml", false},
		{"- in a list is a character", "[ab-d].yaml", "c.yaml", false},
		{"^ in a list is a character", "[^ab].yaml", "c.yaml", false},
		{"a range", "v[1-3].yaml", "v2.yaml", true},
		{"not a range", "v[!1-3].yaml", "v2.yaml", false},
		{"not some characters", "[!ab].yaml", "c.yaml", true},
		{"an escaped character", `\*.yaml`, "a.yaml", false},
		{"an escaped character, the same", `\*[\]].yaml`, "*].yaml", true},
		{"a class without an end is not valid", "a[b", "a[b", false},
		{"an empty class is not valid", "a[]", "a", false},
		{"a directory is needed before /", "**/a.yaml", "a.yaml", false},
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

// TestGenerators: the values of the Applications that an ApplicationSet makes.
func TestGenerators(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, file := range []string{"a.yaml", "clusters/Prod_A/a.yaml", "clusters/lab/a.yaml", "clusters/lab/deep/a.yaml", ".hidden/a.yaml"} {
		write(t, root, file, "")
	}
	s := scan{root: root, dirs: manifest.Tree(root), byPath: map[string]*manifest.Dir{}, real: map[string]string{}}
	s.index()
	for _, tc := range []struct{ reason, generators, path, want string }{
		{"Argo CD skips the root and hidden directories", "[{git: {directories: [{path: '*'}]}}]", "{{path}}", "clusters"},
		{"* matches one directory", "[{git: {directories: [{path: clusters/*}]}}]", "{{path}}", "clusters/Prod_A clusters/lab"},
		{"an entry excludes, in any order", "[{git: {directories: [{path: clusters/lab, exclude: true}, {path: clusters/*}]}}]", "{{path}}", "clusters/Prod_A"},
		{"a name that Kubernetes accepts", "[{git: {directories: [{path: clusters/P*}]}}]", "x/{{path.basenameNormalized}}", "x/prod-a"},
		{"a prefix", "[{git: {pathParamPrefix: my, directories: [{path: clusters/l*}]}}]", "{{my.path}}/{{my.path.basename}}/{{my.path[0]}}", "clusters/lab/lab/clusters"},
		{"the name without its prefix is not known", "[{git: {pathParamPrefix: my, directories: [{path: clusters/l*}]}}]", "{{path}}", ""},
		{"the first generator of a matrix wins", "[{matrix: {generators: [{list: {elements: [{dir: a}]}}, {list: {elements: [{dir: b, sub: c}]}}]}}]", "{{.dir}}/{{.sub}}", "a/c"},
		{"which a selector keeps is not known", "[{list: {elements: [{dir: a}, {dir: b}]}, selector: {matchLabels: {dir: a}}}]", "{{dir}}", ""},
		{"files are not read", "[{git: {files: [{path: '*.json'}]}}]", "{{path}}", ""},
	} {
		var generators []generator
		if err := k8syaml.Unmarshal([]byte(tc.generators), &generators); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range s.parameters(generators, checkout{top: s.real[root]}) {
			if path, known := p.fill(tc.path); known {
				got = append(got, path)
			}
		}
		if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestSourcesOfAnApplication: Argo CD ignores source if there are sources.
func TestSourcesOfAnApplication(t *testing.T) {
	t.Parallel()
	one, two := source{Path: "one"}, source{Path: "two"}
	for want, spec := range map[string]applicationSpec{
		"one": {Source: &one}, "two": {Source: &one, Sources: []source{two}}, "": {},
	} {
		got := ""
		for _, s := range spec.all() {
			got += s.Path
		}
		if got != want {
			t.Errorf("want %q, got %q", want, got)
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
