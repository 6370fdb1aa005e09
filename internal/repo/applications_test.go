package repo

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
)

func TestFillOfAnApplicationSet(t *testing.T) {
	t.Parallel()
	p := parameters{"path": "clusters/a", "path.basename": "a", "values.env": "prod", "path[0]": "clusters"}
	for text, want := range map[string]string{
		"apps": "apps", "{{path}}": "clusters/a", "{{ .path.basename }}/x": "a/x", "{{- .values.env -}}": "prod", "{{path[0]}}/b": "clusters/b",
		"{{name}}": "", "{{ index .path.segments 1 }}": "",
	} {
		if got, known := filled(t, p, text); known != (want != "") || known && got != want {
			t.Errorf("%q: want %q, got %q, %v", text, want, got, known)
		}
	}
}

// filled returns the path of a source with values in it, and whether they are known.
func filled(t *testing.T, p parameters, path string) (string, bool) {
	t.Helper()
	text, err := json.Marshal(source{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	out, known := p.source(source{Path: path}, text)
	return out.Path, known
}

// TestGenerators: the values of the Applications that an ApplicationSet makes.
func TestGenerators(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, file := range []string{"a.yaml", "clusters/Prod_A/a.yaml", "clusters/lab/a.yaml", "clusters/lab/deep/a.yaml", ".hidden/a.yaml"} {
		write(t, root, file, "")
	}
	s := newScan(root, Options{})
	for _, tc := range []struct{ reason, generators, path, want string }{
		{"Argo CD skips the root and hidden directories", "[{git: {directories: [{path: '*'}]}}]", "{{path}}", "clusters"},
		{"* matches one directory", "[{git: {directories: [{path: clusters/*}]}}]", "{{path}}", "clusters/Prod_A clusters/lab"},
		{"an entry excludes, in any order", "[{git: {directories: [{path: clusters/lab, exclude: true}, {path: clusters/*}]}}]", "{{path}}", "clusters/Prod_A"},
		{"a name that Kubernetes accepts", "[{git: {directories: [{path: clusters/P*}]}}]", "x/{{path.basenameNormalized}}", "x/prod-a"},
		{
			reason:     "a prefix",
			generators: "[{git: {pathParamPrefix: my, directories: [{path: clusters/l*}]}}]",
			path:       "{{my.path}}/{{my.path.basename}}/{{my.path[0]}}",
			want:       "clusters/lab/lab/clusters",
		},
		{"the name without its prefix is not known", "[{git: {pathParamPrefix: my, directories: [{path: clusters/l*}]}}]", "{{path}}", ""},
		{
			reason:     "the first generator of a matrix wins",
			generators: "[{matrix: {generators: [{list: {elements: [{dir: a}]}}, {list: {elements: [{dir: b, sub: c}]}}]}}]",
			path:       "{{.dir}}/{{.sub}}",
			want:       "a/c",
		},
		{"which a selector keeps is not known", "[{list: {elements: [{dir: a}, {dir: b}]}, selector: {matchLabels: {dir: a}}}]", "{{dir}}", ""},
		{"files are not read", "[{git: {files: [{path: '*.json'}]}}]", "{{path}}", ""},
	} {
		var generators []generator
		if err := k8syaml.Unmarshal([]byte(tc.generators), &generators); err != nil {
			t.Fatal(err)
		}
		var got []string
		all, cut := s.parameters(generators[0], namesIn(tc.path))
		if cut {
			t.Errorf("%s: the parameters are cut", tc.reason)
		}
		for _, p := range all {
			if path, known := filled(t, p, tc.path); known {
				got = append(got, path)
			}
		}
		if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestTooManyApplications: what goldenarch does not follow is a warning, and it follows the
// rest, also of a product that is too large.
func TestTooManyApplications(t *testing.T) {
	t.Parallel()
	list := func(name string, n int) string {
		elements := make([]string, n)
		for i := range elements {
			elements[i] = fmt.Sprintf("{%s: '%d'}", name, i)
		}
		return "{list: {elements: [" + strings.Join(elements, ", ") + "]}}"
	}
	for _, tc := range []struct {
		reason, generators, path string
		want                     int
		cut                      bool
	}{
		{"as many as goldenarch follows", list("a", 20_000), "{{a}}", 20_000, false},
		{"a list with the same values twice", "{list: {elements: [{a: '0'}, {a: '1'}, {a: '0'}]}}", "{{a}}", 2, false},
		{"a product", "{matrix: {generators: [" + list("a", 400) + ", " + list("b", 400) + "]}}", "{{a}}{{b}}", 33_066, true},
		{
			reason:     "a product of products",
			generators: "{matrix: {generators: [" + list("a", 100) + ", " + list("b", 100) + ", " + list("c", 100) + "]}}",
			path:       "{{a}}{{b}}{{c}}", want: 17_450, cut: true,
		},
		{"a product of few", "{matrix: {generators: [" + list("a", 100) + ", " + list("b", 100) + "]}}", "{{a}}{{b}}", 10_000, false},
		{"a product of which the template needs one list", "{matrix: {generators: [" + list("a", 1000) + ", " + list("b", 1000) + "]}}", "{{a}}", 1000, false},
	} {
		root := t.TempDir()
		write(t, root, "apps/set.yaml", `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: fleet}
spec:
  generators: [`+tc.generators+`]
  template: {spec: {source: {path: "clusters/`+tc.path+`"}}}
`)
		first := strings.Repeat("0", strings.Count(tc.path, "{{"))
		write(t, root, "clusters/"+first+"/hco.yaml", "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\n")
		layout, err := Scan(root, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var from generator
		if err := k8syaml.Unmarshal([]byte(tc.generators), &from); err != nil {
			t.Fatal(err)
		}
		all, cut := (&scan{combines: maxWork}).parameters(from, namesIn(tc.path))
		if len(all) != tc.want || cut != tc.cut {
			t.Errorf("%s: want %d and %v, got %d and %v", tc.reason, tc.want, tc.cut, len(all), cut)
		}
		warned := len(layout.Found) == 1 && layout.Found[0].ID == finding.ApplicationsCut && strings.HasSuffix(layout.Found[0].Object.File, "apps/set.yaml")
		if warned != tc.cut || len(layout.Found) > 1 {
			t.Errorf("%s: found %v", tc.reason, layout.Found)
		}
		if len(layout.Places) != 1 || layout.Places[0].Path != filepath.Join(root, "clusters", first) {
			t.Errorf("%s: want the directory that the first Applications apply, got %v", tc.reason, layout.Places)
		}
	}
}

// TestTwoApplicationsOfADirectory: each applies its own files, and the cluster gets all.
func TestTwoApplicationsOfADirectory(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	application := func(name, directory string) {
		write(t, root, "apps/"+name+".yaml",
			"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: "+name+"}\nspec: {source: {path: cluster, directory: "+directory+"}}\n")
	}
	application("a", "{include: '*.yaml', exclude: old.yaml}")
	application("b", "{include: 'more/*', recurse: true}")
	for _, file := range []string{"old.yaml", "nodes.yaml", "more/config.yaml", "more/deep/x.yaml", "other/x.yaml"} {
		write(t, root, "cluster/"+file, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
	}
	write(t, root, "cluster/hco.yaml", "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\n")
	write(t, root, "cluster/skipped.yaml", "# +argocd:skip-file-rendering\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
	layout, err := Scan(root, Options{})
	if err != nil || len(layout.Places) != 1 {
		t.Fatalf("want one cluster, got %v (%v)", layout.Places, err)
	}
	var got []string
	for _, file := range layout.Places[0].Files {
		below, err := filepath.Rel(filepath.Join(root, "cluster"), file)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, filepath.ToSlash(below))
	}
	if diff := cmp.Diff([]string{"hco.yaml", "nodes.yaml", "more/config.yaml", "more/deep/x.yaml"}, got); diff != "" {
		t.Errorf("the files (-want +got):\n%s", diff)
	}
}

// TestSourcesOfAnApplication: Argo CD ignores source if there are sources.
func TestSourcesOfAnApplication(t *testing.T) {
	t.Parallel()
	one, two := source{Path: "one"}, source{Path: "two"}
	hydrator := struct {
		DrySource source `json:"drySource"`
	}{source{Path: "three"}}
	for want, spec := range map[string]applicationSpec{
		"one": {Source: &one}, "two": {Source: &one, Sources: []source{two}}, "": {}, "three": {Source: &one, SourceHydrator: &hydrator},
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

// TestAppliersOfOneList: what applies directories may take its fields from another element of
// its List.
func TestAppliersOfOneList(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "apps.yaml", `apiVersion: v1
kind: List
items:
- apiVersion: argoproj.io/v1alpha1
  kind: Application
  metadata: {name: a}
  spec:
    syncPolicy: &sync {syncOptions: [ServerSideApply=true]}
    source: {path: a}
- apiVersion: argoproj.io/v1alpha1
  kind: Application
  metadata: {name: b}
  spec:
    syncPolicy: *sync
    source: {path: b}
- apiVersion: kustomize.toolkit.fluxcd.io/v1
  kind: Kustomization
  metadata: {name: a}
  spec: {path: ./a, sourceRef: &source {kind: GitRepository, name: fleet}}
- apiVersion: kustomize.toolkit.fluxcd.io/v1
  kind: Kustomization
  metadata: {name: b}
  spec: {path: ./b, sourceRef: *source}
`)
	for _, dir := range []string{"a", "b"} {
		write(t, root, dir+"/x.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
	}
	routes, err := RoutesIn(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range routes {
		got = append(got, fmt.Sprintf("%s %v", r.By, r.OnServer))
	}
	want := []string{
		"apps.yaml: Application/a true", "apps.yaml: Application/b true", "apps.yaml: Kustomization/a true", "apps.yaml: Kustomization/b true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what applies the directories (-want +got):\n%s", diff)
	}
}

// TestPatchesOfAnApplication: a patch in a file may change a CR, as one in the Application may.
func TestPatchesOfAnApplication(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, patch, want string }{
		{"a patch of a CR", "{patch: 'kind: HyperConverged'}", "kustomize.patches"},
		{"a patch of another object", "{patch: 'kind: Deployment'}", ""},
		{"a file that patches a CR", "{path: cr.yaml}", "kustomize.patches"},
		{"a file that patches another object", "{path: ./other.yaml}", ""},
		{"a file that nobody can read may patch anything", "{path: missing.yaml}", "kustomize.patches"},
		{"a file for another kind", "{path: missing.yaml, target: {kind: Deployment}}", ""},
		{"a file for each kind", "{path: other.yaml, target: {namespace: kubevirt.*}}", "kustomize.patches"},
		{"a target with the name of the CR", "{path: other.yaml, target: {name: kubevirt-hyper.*}}", "kustomize.patches"},
		{"a target with another name", "{path: other.yaml, target: {name: kubevirt}}", ""},
		{"a target in another namespace", "{path: other.yaml, target: {namespace: kubevirt}}", ""},
		{"a target of another group", "{path: other.yaml, target: {group: apps}}", ""},
		{"a target of another version", "{path: other.yaml, target: {group: hco.kubevirt.io, version: v1}}", ""},
		{"a target by label may be each object", "{path: other.yaml, target: {labelSelector: a=b}}", "kustomize.patches"},
	} {
		root := t.TempDir()
		write(t, root, "app.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n"+
			"spec: {source: {path: a, kustomize: {patches: ["+tc.patch+"]}}}\n")
		write(t, root, "a/cr.yaml", "kind: HyperConverged\n")
		write(t, root, "a/other.yaml", "kind: Deployment\n")
		routes, err := RoutesIn(root, nil)
		if err != nil || len(routes) != 1 {
			t.Fatalf("%s: want one route, got %v, %v", tc.reason, routes, err)
		}
		cr := finding.Object{
			APIVersion: "hco.kubevirt.io/v1beta1", Kind: "HyperConverged", Name: "kubevirt-hyperconverged", Namespace: "kubevirt-hyperconverged",
		}
		if got := strings.Join(routes[0].ChangesOf(cr), " "); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestOverridesOfAnObject: each field of Argo CD and Flux that can change a CR counts, and no other.
func TestOverridesOfAnObject(t *testing.T) {
	t.Parallel()
	argo := func(field string) string {
		return "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {source: {path: a, kustomize: {" + field + "}}}\n"
	}
	flux := func(field string) string {
		return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\nspec: {path: a, " + field + "}\n"
	}
	const patch, other = "ssp.kubevirt.io/jsonpatch: '[]'", "team: a, version: 1"
	at := finding.Object{Kind: "HyperConverged", Namespace: "kubevirt-hyperconverged"}
	for _, tc := range []struct {
		applies, want string
		cr            finding.Object
	}{
		{argo("commonAnnotations: {" + patch + "}"), "kustomize.commonAnnotations", at},
		{argo("commonAnnotations: {" + other + "}"), "", at},
		{argo("commonLabels: {a: b}, images: ['a=b'], replicas: [{name: a, count: 1}]"), "", at},
		{argo("namespace: lab"), "kustomize.namespace", at},
		{argo("namespace: lab, namePrefix: a-"), "kustomize.namePrefix kustomize.namespace", at},
		{argo("namespace: kubevirt-hyperconverged"), "", at},
		{argo("namespace: lab"), "", finding.Object{}},
		{flux("commonMetadata: {annotations: {" + patch + "}}"), "spec.commonMetadata.annotations", at},
		{flux("commonMetadata: {labels: {a: b}, annotations: {" + other + "}}"), "", at},
		{flux("targetNamespace: lab"), "spec.targetNamespace", at},
		{flux("targetNamespace: kubevirt-hyperconverged"), "", at},
		{flux("namespace: lab"), "", at},
		{flux("patchesStrategicMerge: [{kind: HyperConverged}]"), "spec.patchesStrategicMerge", at},
		{flux("patchesStrategicMerge: [{kind: Deployment}]"), "", at},
		{flux("patchesJson6902: [{target: {kind: Hyper.*}, patch: [{op: remove, path: /spec}]}]"), "spec.patchesJson6902", at},
		{flux("patchesJson6902: [{target: {kind: Deployment}, patch: []}]"), "", at},
	} {
		root := t.TempDir()
		write(t, root, "app.yaml", tc.applies)
		write(t, root, "a/kustomization.yaml", "resources: []\n")
		routes, err := RoutesIn(root, nil)
		if err != nil || len(routes) != 1 {
			t.Fatalf("%s: want one route, got %v, %v", tc.applies, routes, err)
		}
		if got := strings.Join(routes[0].ChangesOf(tc.cr), " "); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.applies, tc.want, got)
		}
	}
}

// TestTemplatePatch: what an ApplicationSet merges into its template counts.
func TestTemplatePatch(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, patch, want, unfollowed string }{
		{"no patch", "''", "a:", ""},
		{"a patch of the CR", "'spec: {source: {kustomize: {patches: [{patch: \"kind: HyperConverged\"}]}}}'", "a:kustomize.patches", ""},
		{"a patch of another object", "'spec: {source: {kustomize: {patches: [{patch: \"kind: Deployment\"}]}}}'", "a:", ""},
		{"another directory", "'spec: {source: {path: b}}'", "b:", ""},
		{"several sources", "'spec: {sources: [{path: a, kustomize: {namePrefix: x-}}, {path: b}]}'", "a:kustomize.namePrefix b:", ""},
		{"the server merges", "'spec: {syncPolicy: {syncOptions: [ServerSideApply=true]}}'", "a: on the server", ""},
		{"a plugin", "'spec: {source: {plugin: {}}}'", "a: by a plugin", ""},
		{"other fields", "'metadata: {labels: {a: b}}'", "a:", ""},
		{"blocks about other fields", "\"spec:\\n{{- if .x }}\\n  syncPolicy: {}\\n{{- end }}\"", "a:", ""},
		{"blocks about the source", "\"spec:\\n{{- if .x }}\\n  source: {path: b}\\n{{- end }}\"", "a:", "app.yaml: ApplicationSet/a"},
		{
			"blocks about what kustomize adds", "\"spec:\\n{{- if .x }}\\n  source: {kustomize: {namePrefix: x}}\\n{{- end }}\"",
			"a:templatePatch", "app.yaml: ApplicationSet/a",
		},
	} {
		s := followedSet(t, "  goTemplate: true\n"+
			"  generators: [{list: {elements: [{x: y}]}}]\n  template: {spec: {source: {path: a}}}\n  templatePatch: "+tc.patch+"\n")
		var got []string
		for _, r := range s.out.Routes {
			text := filepath.Base(r.dir) + ":" + strings.Join(r.ChangesOf(finding.Object{Kind: "HyperConverged"}), ",")
			if r.OnServer {
				text += " on the server"
			}
			if r.Plugin != nil {
				text += " by a plugin"
			}
			got = append(got, text)
		}
		var unfollowed []string
		for _, by := range s.out.Unfollowed {
			unfollowed = append(unfollowed, strings.TrimPrefix(by, filepath.ToSlash(s.root)+"/"))
		}
		if routes := strings.Join(got, " "); routes != tc.want || strings.Join(unfollowed, " ") != tc.unfollowed {
			t.Errorf("%s: want %q and %q, got %q and %q", tc.reason, tc.want, tc.unfollowed, routes, unfollowed)
		}
	}
}

// TestDirectoryBesideAKustomization: a source that says how to read a plain directory builds no
// kustomization, but an empty one says nothing.
func TestDirectoryBesideAKustomization(t *testing.T) {
	t.Parallel()
	for directory, want := range map[string]bool{
		"{}": false, "{recurse: false, jsonnet: {}}": false, "{recurse: true}": true, "{exclude: a.yaml}": true, "{include: a.yaml}": true,
		"{jsonnet: {tlas: [{name: a, value: b}]}}": true,
	} {
		for kustomized, file := range map[bool]string{true: "kustomization.yaml", false: "a.yaml"} {
			root := t.TempDir()
			write(t, root, "app.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n"+
				"spec: {source: {path: a, directory: "+directory+"}}\n")
			write(t, root, "a/"+file, "resources: []\n")
			routes, err := RoutesIn(root, nil)
			if err != nil || len(routes) != 1 || routes[0].Unbuilt != (want && kustomized) {
				t.Errorf("%s beside %s: want %v, got %v, %v", directory, file, want && kustomized, routes, err)
			}
		}
	}
}

// TestPathThroughALink: what applies a directory may name it through a link.
func TestPathThroughALink(t *testing.T) {
	t.Parallel()
	for _, applies := range []string{
		"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {source: {path: current}}\n",
		"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\nspec: {path: ./current}\n",
	} {
		root := t.TempDir()
		write(t, root, "app.yaml", applies)
		write(t, root, "clusters/prod/kustomization.yaml", "resources: []\n")
		if err := os.Symlink("clusters/prod", filepath.Join(root, "current")); err != nil {
			t.Fatal(err)
		}
		routes, err := RoutesIn(root, nil)
		if err != nil || len(routes.To(filepath.Join(root, "clusters/prod"))) != 1 {
			t.Errorf("want one route, got %v, %v", routes, err)
		}
	}
}

// TestBrokenLinks: a link that leads to no file is a warning, but an error where Argo CD renders
// nothing because of it.
func TestBrokenLinks(t *testing.T) {
	t.Parallel()
	const app = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {source: {path: a}}\n"
	for _, tc := range []struct {
		reason, link, target, app string
		want                      finding.Severity
	}{
		{"nobody reads it", "a/l.yaml", "none.yaml", "", finding.Warning},
		{"nor does Argo CD, which skips it", "a/l.yaml", "../b/none.yaml", app, finding.Warning},
		{"an absolute link", "b/l.yaml", "/none/none.yaml", app, finding.Error},
		{"where nothing says that Argo CD reads the repository", "b/l.yaml", "/none/none.yaml", "", finding.Warning},
		{"a link out of the repository", "b/l.yaml", "../../none.yaml", app, finding.Error},
		{"a circle in the directory of an Application", "a/l.yaml", "l.yaml", app, finding.Error},
		{"and elsewhere", "b/l.yaml", "l.yaml", app, finding.Warning},
	} {
		root := t.TempDir()
		write(t, root, "a/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
		write(t, root, "b/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n")
		write(t, root, "app.yaml", tc.app)
		if err := os.Symlink(tc.target, filepath.Join(root, tc.link)); err != nil {
			t.Fatal(err)
		}
		layout, err := Scan(root, Options{})
		if err != nil || len(layout.Found) != 1 || layout.Found[0].Severity != tc.want || !strings.Contains(layout.Found[0].Text, tc.target) {
			t.Errorf("%s: want one finding of severity %s that names %s, got %v, %v", tc.reason, tc.want, tc.target, layout.Found, err)
		}
	}
}

// TestSourceFiles: files of a directory change the source of the Applications that apply it, but not
// which directory that is.
func TestSourceFiles(t *testing.T) {
	t.Parallel()
	const by, app = "app.yaml: Application/a", "metadata: {name: a}\nspec: {source: {path: a, kustomize: {nameSuffix: -x}}}\n"
	cr := finding.Object{Kind: "HyperConverged", Name: "kubevirt-hyperconverged"}
	for _, tc := range []struct{ reason, file, text, by, want string }{
		{"no file", "x.yaml", "kustomize: {namePrefix: x-}\n", by, "kustomize.nameSuffix"},
		{
			"for each Application", ".argocd-source.yaml", "kustomize: {namePrefix: x-}\npath: b\n",
			by + " with .argocd-source.yaml", "kustomize.namePrefix kustomize.nameSuffix",
		},
		{"for this one", ".argocd-source-a.yaml", "kustomize: {nameSuffix: ''}\n", by + " with .argocd-source-a.yaml", ""},
		{"for another one", ".argocd-source-b.yaml", "kustomize: {namePrefix: x-}\n", by, "kustomize.nameSuffix"},
		{"images", ".argocd-source-a.yaml", "kustomize: {images: [a:1]}\n", by + " with .argocd-source-a.yaml", "kustomize.nameSuffix"},
		{"not valid", ".argocd-source-a.yaml", "kustomize: {\n", by, "kustomize.nameSuffix"},
	} {
		root := t.TempDir()
		write(t, root, "app.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\n"+app)
		write(t, root, "a/kustomization.yaml", "resources: []\n")
		write(t, root, "a/"+tc.file, tc.text)
		routes, err := RoutesIn(root, nil)
		if err != nil || len(routes) != 1 || filepath.Base(routes[0].dir) != "a" || routes[0].By != tc.by {
			t.Fatalf("%s: want one route by %q, got %v, %v", tc.reason, tc.by, routes, err)
		}
		if got := strings.Join(routes[0].ChangesOf(cr), " "); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestValuesAreNoWork: values of helm in an ApplicationSet, which nobody reads, do not use up what a run
// follows.
func TestValuesAreNoWork(t *testing.T) {
	t.Parallel()
	var elements strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&elements, "{dir: a, i: '%d'}, ", i)
	}
	s := followedSet(t, "  generators: [{list: {elements: ["+elements.String()+"]}}]\n"+
		"  template: {spec: {source: {path: '{{dir}}', kustomize: {namePrefix: '{{i}}'}, "+
		"helm: {values: &v \""+strings.Repeat("a: b\\n", 4000)+"\", valuesObject: {a: *v}, parameters: [{name: a, value: *v}]}}}}\n")
	uses := s.uses[filepath.Join(s.root, "a")]
	if s.cut || len(uses) != 1000 || strings.Join(uses[0].Fields, " ") != "helm.parameters helm.values helm.valuesObject" {
		t.Errorf("want 1000 uses with three fields, got %v, %d", s.cut, len(uses))
	}
}

// TestSourceFilesOutside: a file outside of the repository is not read, whether a link or the name of an
// Application leads to it.
func TestSourceFilesOutside(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "evil.yaml", "kustomize: {namePrefix: x-}\n")
	write(t, root, "tree/app.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: x/../../../evil}\nspec: {source: {path: a}}\n")
	write(t, root, "tree/.git/config", "")
	write(t, root, "tree/a/kustomization.yaml", "resources: []\n")
	write(t, root, "tree/a/.argocd-source-x/x.yaml", "")
	if err := os.Symlink("../../evil.yaml", filepath.Join(root, "tree/a/.argocd-source.yaml")); err != nil {
		t.Fatal(err)
	}
	routes, err := RoutesIn(filepath.Join(root, "tree"), nil)
	if err != nil || len(routes) != 1 || strings.Contains(routes[0].By, "with") {
		t.Errorf("want one route without a file, got %v, %v", routes, err)
	}
}

// TestFieldsOfAnElement: each field of a source has the values of its element before it counts.
func TestFieldsOfAnElement(t *testing.T) {
	t.Parallel()
	const element = "{dir: a, url: 'https://x/y.git', ns: kubevirt-hyperconverged, none: '', kind: Deployment, quoted: '\"}'}"
	cr := finding.Object{Kind: "HyperConverged", Name: "kubevirt-hyperconverged", Namespace: "kubevirt-hyperconverged"}
	for _, tc := range []struct{ fields, want string }{
		{"kustomize: {namespace: '{{ns}}'}", ""},
		{"kustomize: {namespace: 'x-{{ns}}'}", "kustomize.namespace"},
		{"kustomize: {namePrefix: '{{none}}'}", ""},
		{"kustomize: {namePrefix: '{{dir}}-'}", "kustomize.namePrefix"},
		{"kustomize: {namePrefix: '{{unknown}}'}", "kustomize.namePrefix"},
		{"kustomize: {patches: [{target: {kind: '{{kind}}'}, patch: '[]'}]}", ""},
		{"kustomize: {patches: [{target: {kind: '{{unknown}}'}, patch: '[]'}]}", "kustomize.patches"},
		{"kustomize: {commonAnnotations: {a: '{{quoted}}'}}", ""},
		{"repoURL: '{{url}}'", ""},
	} {
		s := followedSet(t, "  generators: [{list: {elements: ["+element+"]}}]\n  template: {spec: {source: {path: '{{dir}}', "+tc.fields+"}}}\n")
		if len(s.out.Routes) != 1 {
			t.Errorf("%s: want one route, got %v", tc.fields, s.out.Routes)
			continue
		}
		if got := strings.Join(s.out.Routes[0].ChangesOf(cr), " "); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.fields, tc.want, got)
		}
	}
}

// TestIgnoredDifferences: what Argo CD ignores does not arrive if goldenarch decides on it.
func TestIgnoredDifferences(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, entry, version, want, respected string }{
		{"the templates", "jsonPointers: [/spec/dataImportCronTemplates]", "v1beta1", "/spec/dataImportCronTemplates", "/spec/dataImportCronTemplates"},
		{"the spec", "jsonPointers: [/spec]", "v1", "/spec", "/spec"},
		{"no pointer", "jsonPointers: [spec]", "v1", "", ""},
		{"the version", "jsonPointers: [/spec/version]", "v1beta1", "", ""},
		{"the templates of the other version", "jsonPointers: [/spec/dataImportCronTemplates]", "v1", "", ""},
		{"what a template declares", "jsonPointers: [/spec/dataImportCronTemplates/0/metadata]", "v1beta1", "same", "same"},
		{"another field of a template", "jsonPointers: [/spec/dataImportCronTemplates/0/spec/retentionPolicy]", "v1beta1", "", "same"},
		{"the gate", "jsonPointers: [/spec/featureGates/enableMultiArchBootImageImport]", "v1beta1", "same", "same"},
		{"another gate", "jsonPointers: [/spec/featureGates/deployVmConsoleProxy]", "v1beta1", "", ""},
		{"the gate of v1", "jsonPointers: [/spec/workloadSources/enableMultiArchBootImageImport]", "v1", "same", "same"},
		{"an expression for annotations", "jqPathExpressions: ['.spec.dataImportCronTemplates[].metadata.annotations']", "v1beta1", "same", "same"},
		{"an expression for another field", "jqPathExpressions: ['.spec.dataImportCronTemplates[].spec.retentionPolicy']", "v1beta1", "", "same"},
		{"an expression for all feature gates", "jqPathExpressions: [.spec.featureGates]", "v1beta1", "same", "same"},
		{"an expression for what has the gate of v1", "jqPathExpressions: [.spec.workloadSources]", "v1", "same", "same"},
		{"an expression for the whole object", "jqPathExpressions: [.]", "v1", "same", "same"},
		{"an expression for another field of the spec", "jqPathExpressions: [.spec.infra]", "v1beta1", "", ""},
		{"the namespace that the CR gets", "namespace: x, jsonPointers: [/spec]", "v1", "/spec", "/spec"},
		{"an expression for the status", "jqPathExpressions: [.status]", "v1beta1", "", ""},
		{"another name", "name: x, jsonPointers: [/spec]", "v1beta1", "", ""},
	} {
		for _, with := range []struct{ options, want string }{{"[]", tc.want}, {"[RespectIgnoreDifferences=true]", tc.respected}} {
			if with.want == "same" {
				_, with.want, _ = strings.Cut(tc.entry, "[")
				with.want = strings.Trim(strings.TrimSuffix(with.want, "]"), "'")
			}
			for group, is := range map[string]bool{"hco.kubevirt.io": true, "'*'": true, "''": false, "apps": false} {
				s := followedSet(t, "  generators: [{list: {elements: [{x: y}]}}]\n  template: {spec: {source: {path: a}, syncPolicy: {syncOptions: "+with.options+
					"}, ignoreDifferences: [{group: "+group+", kind: HyperConverged, "+tc.entry+"}]}}\n")
				fields, never := s.out.Routes[0].IgnoredOf(finding.Object{
					APIVersion: "hco.kubevirt.io/" + tc.version, Kind: "HyperConverged", Name: "kubevirt-hyperconverged",
				})
				if got := strings.Join(fields, " "); got != with.want && is || got != "" && !is || never != (with.options != "[]") {
					t.Errorf("%s with %s of %s: want %q, got %q, %v", tc.reason, with.options, group, with.want, got, never)
				}
			}
		}
	}
}

// TestGeneratorsOfOneSet: an ApplicationSet applies what each of its generators makes, by the template
// of the generator over its own. One that goldenarch does not follow is named, beside one that it does.
func TestGeneratorsOfOneSet(t *testing.T) {
	t.Parallel()
	const unfollowed = " unfollowed"
	for _, tc := range []struct{ reason, generators, path, want string }{
		{"two lists", "[{list: {elements: [{dir: a}]}}, {list: {elements: [{dir: b}]}}]", "{{dir}}", "a b"},
		{"a list, and files", "[{list: {elements: [{dir: a}]}}, {git: {files: [{path: '*.json'}]}}]", "{{dir}}", "a" + unfollowed},
		{"clusters, and a list", "[{clusters: {}}, {list: {elements: [{dir: a}]}}]", "{{dir}}", "a" + unfollowed},
		{"clusters that all get one directory", "[{clusters: {}}]", "a", "a"},
		{"elements without the value", "[{list: {elements: [{dir: a}, {other: b}]}}]", "{{dir}}", "a" + unfollowed},
		{"more elements in a text", "[{list: {elements: [{dir: a}], elementsYaml: '[{dir: b}]'}}]", "{{dir}}", "a" + unfollowed},
		{"the template of a list", "[{list: {elements: [{dir: a}], template: {spec: {source: {path: b}}}}}]", "{{dir}}", "b"},
		{"that of clusters", "[{list: {elements: [{dir: a}]}}, {clusters: {template: {spec: {source: {path: b}}}}}]", "{{dir}}", "a b"},
		{"a template that leaves the path", "[{list: {elements: [{dir: a}], template: {spec: {project: x, source: {path: ''}}}}}]", "{{dir}}", "a"},
		{"an empty template", "[{list: {elements: [{dir: a}], template: {metadata: {}, spec: {destination: {}}}}}]", "{{dir}}", "a"},
		{
			"that of a product counts, and not those in it",
			"[{matrix: {generators: [{list: {elements: [{dir: a}], template: {spec: {source: {path: x}}}}}], template: {spec: {source: {path: b}}}}}]",
			"{{dir}}", "b",
		},
	} {
		s := followedSet(t, "  generators: "+tc.generators+"\n  template: {spec: {source: {path: '"+tc.path+"'}}}\n")
		var got []string
		for _, r := range s.out.Routes {
			got = append(got, filepath.Base(r.dir))
		}
		text := strings.Join(got, " ")
		if len(s.out.Unfollowed) > 0 && len(s.unfollowed) > 0 {
			text += unfollowed
		}
		if text != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, text)
		}
	}
}

// TestValueFiles: the value files of a chart lead where Argo CD takes them from.
func TestValueFiles(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, file, want string }{
		{"beside the chart", "prod.yaml", "charts/hco/prod.yaml"},
		{"above the chart", "../../values/prod.yaml", "values/prod.yaml"},
		{"from the root of the repository", "/values/prod.yaml", "values/prod.yaml"},
		{"of a source of this repository", "$values/values/prod.yaml", "values/prod.yaml"},
		{"of a source of another one", "$other/prod.yaml", "$other/prod.yaml"},
		{"of no source", "$none/prod.yaml", "$none/prod.yaml"},
		{"a URL", "https://example.com/prod.yaml", "https://example.com/prod.yaml"},
		{"outside of the repository", "../../../prod.yaml", ""},
		{"a source, and outside", "$values/../prod.yaml", ""},
	} {
		for _, application := range []string{
			"kind: Application\nmetadata: {name: a}\nspec: ",
			"kind: ApplicationSet\nmetadata: {name: a}\nspec:\n  generators: [{list: {elements: [{env: prod}]}}]\n  template:\n    spec: ",
		} {
			root := t.TempDir()
			write(t, root, ".git/config", "[remote \"origin\"]\n\turl = https://example.com/fleet.git\n")
			file := tc.file
			if strings.Contains(application, "Set") {
				file = strings.ReplaceAll(file, "prod", "{{env}}")
			}
			write(t, root, "app.yaml", "apiVersion: argoproj.io/v1alpha1\n"+application+"{sources: ["+
				"{repoURL: 'https://example.com/fleet', path: charts/hco, helm: {valueFiles: ['"+file+"']}}, "+
				"{repoURL: 'https://example.com/fleet', ref: values}, {repoURL: 'https://example.com/x', ref: other}]}\n")
			write(t, root, "charts/hco/Chart.yaml", "apiVersion: v2\nname: hco\nversion: 0.1.0\n")
			layout, err := Scan(root, Options{})
			if err != nil || len(layout.Charts) != 1 {
				t.Fatalf("%s: want one chart, got %v, %v", tc.reason, layout.Charts, err)
			}
			got := strings.Join(layout.Charts[0].Uses[0].Values, " ")
			if got = strings.TrimPrefix(got, filepath.ToSlash(root)+"/"); got != tc.want {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
			}
		}
	}
}

// followedSet scans two directories beside an ApplicationSet with a spec.
func followedSet(t *testing.T, spec string) *scan {
	t.Helper()
	root := t.TempDir()
	write(t, root, "app.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a}\nspec:\n"+spec)
	for _, dir := range []string{"a", "b"} {
		write(t, root, dir+"/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
	}
	s := newScan(root, Options{})
	if err := s.read(); err != nil {
		t.Fatal(err)
	}
	s.follow()
	return s
}
