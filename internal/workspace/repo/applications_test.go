package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/finding"
)

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
	one, two := applicationSource{Path: "one"}, applicationSource{Path: "two"}
	hydrator := struct {
		DrySource applicationSource `json:"drySource"`
	}{applicationSource{Path: "three"}}
	for want, spec := range map[string]applicationSpec{
		"one": {Source: &one}, "two": {Source: &one, Sources: []applicationSource{two}}, "": {}, "three": {Source: &one, SourceHydrator: &hydrator},
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
			for group, ok := range map[string]bool{"hco.kubevirt.io": true, "'*'": true, "''": false, "apps": false} {
				s := followedSet(t, "  generators: [{list: {elements: [{x: y}]}}]\n  template: {spec: {source: {path: a}, syncPolicy: {syncOptions: "+with.options+
					"}, ignoreDifferences: [{group: "+group+", kind: HyperConverged, "+tc.entry+"}]}}\n")
				fields, never := s.out.Routes[0].IgnoredOf(finding.Object{
					APIVersion: "hco.kubevirt.io/" + tc.version, Kind: "HyperConverged", Name: "kubevirt-hyperconverged",
				})
				if got := strings.Join(fields, " "); got != with.want && ok || got != "" && !ok || never != (with.options != "[]") {
					t.Errorf("%s with %s of %s: want %q, got %q, %v", tc.reason, with.options, group, with.want, got, never)
				}
			}
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
