package engine

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// inPackage returns an item as kpt passes it.
func inPackage(dir, file, text string) *yaml.RNode {
	item := yaml.MustParse(text)
	item.SetAnnotations(map[string]string{
		"internal.config.kubernetes.io/path": file, "internal.config.kubernetes.io/index": "0", object.PackageAnnotation: dir,
	})
	return item
}

const crText = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: openshift-cnv}\n" +
	"spec:\n  dataImportCronTemplates:\n  - metadata: {name: app}\n    spec:\n      managedDataSource: app\n      schedule: 0 0 * * *\n" +
	"      template: {spec: {source: {registry: {url: \"docker://quay.io/acme/app:1\"}}, storage: {resources: {requests: {storage: 1Gi}}}}}\n"

func nodes(architectures ...string) string {
	text := "apiVersion: goldenarch.dev/v1alpha1\nkind: ClusterArchitectures\nmetadata: {name: c}\nspec:\n  nodes:\n" +
		"  - {architecture: amd64, labels: {node-role.kubernetes.io/control-plane: \"\"}}\n"
	for _, a := range architectures {
		text += "  - {architecture: " + a + ", labels: {node-role.kubernetes.io/worker: \"\"}}\n"
	}
	return text
}

// TestPackages: packages that kpt passes together are clusters of their own where each has
// a CR.
func TestPackages(t *testing.T) {
	t.Parallel()
	const config = `{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: c},
		spec: {release: "1.18", predefined: none, overrides: [{template: app, architectures: [amd64, arm64]}]EXPAND}}`
	for name, tc := range map[string]struct {
		reason   string
		items    []*yaml.RNode
		expand   bool
		gates    string // of each CR, by package: which multi-arch gates are on
		emitted  []string
		findings []string // errors
	}{
		"EachWithItsNodes": {
			reason: "files and objects of the same names in two packages are not duplicates",
			items: []*yaml.RNode{
				inPackage("/p/a", "hco.yaml", crText), inPackage("/p/a", "nodes.yaml", nodes("amd64", "arm64")),
				inPackage("/p/b", "hco.yaml", crText), inPackage("/p/b", "nodes.yaml", nodes("amd64")),
			},
			gates: "/p/a true, /p/b false",
		},
		"NodesAbove": {
			reason: "the clusters share the facts above them; the nearest ones win",
			items: []*yaml.RNode{
				inPackage("/p", "nodes.yaml", nodes("amd64", "arm64")),
				inPackage("/p/a", "hco.yaml", crText),
				inPackage("/p/b", "hco.yaml", crText), inPackage("/p/b", "nodes.yaml", nodes("amd64")),
			},
			gates: "/p/a true, /p/b false",
		},
		"NodesOfTheOther": {
			reason: "the nodes of one cluster say nothing about another one; no file is written",
			items: []*yaml.RNode{
				inPackage("/p/a", "hco.yaml", crText), inPackage("/p/a", "nodes.yaml", nodes("amd64", "arm64")),
				inPackage("/p/b", "hco.yaml", crText),
			},
			gates:    "/p/a false, /p/b false",
			findings: []string{"GA114 b/hco.yaml"},
		},
		"ConfigurationsBelow": {
			reason: "a package below may have a pipeline of its own, whose configuration is not this one's",
			items: []*yaml.RNode{
				inPackage("/p", "Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n"),
				inPackage("/p/a", "hco.yaml", crText), inPackage("/p/a", "nodes.yaml", nodes("amd64", "arm64")),
				inPackage("/p/a", "golden-images.yaml", "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: other}\nspec: {gate: Disable}\n"),
			},
			gates: "/p/a true",
		},
		"Nested": {
			reason: "a package below a cluster may be a cluster too",
			items: []*yaml.RNode{
				inPackage("/p", "hco.yaml", crText), inPackage("/p", "nodes.yaml", nodes("amd64")),
				inPackage("/p/b", "hco.yaml", crText), inPackage("/p/b", "nodes.yaml", nodes("amd64", "arm64")),
			},
			gates: "/p false, /p/b true",
		},
		"OneCluster": {
			reason: "where one package has a CR, the nodes may be in a package below",
			items: []*yaml.RNode{
				inPackage("/p", "hco.yaml", crText), inPackage("/p/facts", "nodes.yaml", nodes("amd64", "arm64")),
			},
			gates: "/p true",
		},
		"TwiceInOne": {
			reason: "two CRs of one package are duplicates",
			items: []*yaml.RNode{
				inPackage("/p/a", "hco.yaml", crText), inPackage("/p/a", "too.yaml", crText), inPackage("/p/a", "nodes.yaml", nodes("amd64", "arm64")),
				inPackage("/p/b", "hco.yaml", crText), inPackage("/p/b", "nodes.yaml", nodes("amd64")),
			},
			gates:    "/p/a false, /p/a false, /p/b false",
			findings: []string{"GA004 a/too.yaml"},
		},
		"Expanded": {
			reason: "what a CR expands to is put into its package",
			items: []*yaml.RNode{
				inPackage("/p/a", "hco.yaml", crText), inPackage("/p/a", "nodes.yaml", nodes("amd64", "arm64")),
				inPackage("/p/b", "hco.yaml", crText), inPackage("/p/b", "nodes.yaml", nodes("amd64")),
			},
			expand: true,
			gates:  "/p/a true, /p/b false",
			emitted: []string{
				"/p/a/golden-images/dataimportcron-app-amd64.yaml", "/p/a/golden-images/dataimportcron-app-arm64.yaml",
				"/p/b/golden-images/dataimportcron-app-amd64.yaml",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expand := ""
			if tc.expand {
				expand = ", expand: {mode: Emit}"
			}
			given, items := yaml.MustParse(strings.Replace(config, "EXPAND", expand, 1)), tc.items
			var wrong []string
			for range 2 { // a second run changes nothing
				var found finding.List
				var err error
				items, found, err = Function{}.Process(t.Context(), items, given)
				wrong = nil
				for _, f := range found {
					if f.Severity == finding.Error {
						wrong = append(wrong, string(f.ID.Public())+" "+f.Object.File)
					}
				}
				if (err != nil) != (len(tc.findings) > 0) {
					t.Fatalf("%s: %v\n%s", tc.reason, err, found)
				}
				var gates, emitted []string
				for _, item := range items {
					file, _ := object.Place(item)
					switch dir := object.PackageOf(item); item.GetKind() {
					case "HyperConverged":
						on := "false"
						if text, _ := item.String(); strings.Contains(text, "enableMultiArchBootImageImport: true") {
							on = "true"
						}
						gates = append(gates, dir+" "+on)
					case "DataImportCron":
						emitted = append(emitted, dir+"/"+file)
					}
				}
				if diff := cmp.Diff(tc.gates, strings.Join(gates, ", ")); diff != "" {
					t.Errorf("%s: gates (-want +got):\n%s\n%s", tc.reason, diff, found)
				}
				if diff := cmp.Diff(tc.emitted, emitted); diff != "" {
					t.Errorf("%s: emitted (-want +got):\n%s", tc.reason, diff)
				}
			}
			if diff := cmp.Diff(tc.findings, wrong); diff != "" {
				t.Errorf("%s: errors (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestInventedFiles: no finding names a file that a host made up.
func TestInventedFiles(t *testing.T) {
	t.Parallel()
	const config = `{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: c}, spec: {predefined: none}}`
	dir := t.TempDir()
	for name, tc := range map[string]struct {
		reason      string
		annotations map[string]string
		want        string
	}{
		"Kustomize": {
			reason: "kustomize names a file for what another function returned",
			annotations: map[string]string{
				"kustomize.config.k8s.io/id": "kind: HyperConverged\n", "internal.config.kubernetes.io/path": "hyperconverged_kubevirt-hyperconverged.yaml",
				"internal.config.kubernetes.io/index": "0", "config.kubernetes.io/path": "hyperconverged_kubevirt-hyperconverged.yaml",
			},
		},
		"KptWithoutIndex": {
			reason:      "kpt names a file for what another function added, and no index",
			annotations: map[string]string{object.PackageAnnotation: "/p", "internal.config.kubernetes.io/path": "hyperconverged_x.yaml"},
		},
		"KptRenamed": {
			reason: "another function renamed the file, which kpt has not done yet",
			annotations: map[string]string{
				object.PackageAnnotation: dir, "internal.config.kubernetes.io/path": "renamed.yaml", "internal.config.kubernetes.io/index": "0",
			},
		},
		"KptInAContainer": {
			reason: "a container does not see the package, so the file is what kpt says",
			annotations: map[string]string{
				object.PackageAnnotation: "/not/here", "internal.config.kubernetes.io/path": "hco.yaml", "internal.config.kubernetes.io/index": "0",
			},
			want: "hco.yaml",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			item := yaml.MustParse(crText)
			item.SetAnnotations(tc.annotations)
			_, found, _ := Function{}.Process(t.Context(), []*yaml.RNode{item}, yaml.MustParse(config))
			if !found.Has(finding.NoNodeFacts) {
				t.Fatalf("%s: this proves nothing: %s", tc.reason, found)
			}
			for _, f := range found {
				if f.Object.File != tc.want {
					t.Errorf("%s: want the file %q, got %q", tc.reason, tc.want, f.Object.File)
				}
			}
		})
	}
}

// TestPackagesWithAWrongField: a run on several clusters fails at a misspelled field, as a run on
// one does.
func TestPackagesWithAWrongField(t *testing.T) {
	t.Parallel()
	const config = `{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: c},
		spec: {release: "1.18", predefined: none, overrides: [{template: app, architectures: [amd64, arm64]}]}}`
	misspelled := strings.Replace(crText, "spec:", "spec:\n  workload: {}", 1)
	for _, tc := range []struct {
		reason string
		others []*yaml.RNode
	}{
		{reason: "one cluster"},
		{reason: "two clusters", others: []*yaml.RNode{inPackage("/p/b", "hco.yaml", crText)}},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			one := inPackage("/p/a", "hco.yaml", misspelled)
			before := one.MustString()
			items := append(tc.others, one, inPackage("/p", "nodes.yaml", nodes("amd64", "arm64")))
			_, found, err := Function{}.Process(t.Context(), items, yaml.MustParse(config))
			if !errors.Is(err, ErrFindings) || !found.Has(finding.FieldMisplaced) {
				t.Errorf("want an error about the field, got %v and\n%s", err, found)
			}
			if after := one.MustString(); after != before {
				t.Errorf("the item changed to\n%s", after)
			}
		})
	}
}

// TestOldKustomize: goldenarch reports a kustomize that hides objects from it.
func TestOldKustomize(t *testing.T) {
	t.Parallel()
	const known = `apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: c}
spec:
  predefined: none
  overrides: [{template: app, architectures: [amd64]}]
  cluster: {workloadArchitectures: [amd64]}
`
	const unknown = `{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: c}, spec: {predefined: none}}`
	for name, tc := range map[string]struct {
		reason, version, config string
		annotation              string
		want                    finding.Severity
	}{
		"Old":        {"it may hide a lock", "v4.5.7", known, "kustomize.config.k8s.io/id", finding.Warning},
		"OldUnnamed": {"built from its repository, it has a major version only", "v4", known, "kustomize.config.k8s.io/id", finding.Warning},
		"New":        {"it hides nothing", "v5.0.0", unknown, "kustomize.config.k8s.io/id", ""},
		"Unknown":    {"something is missing, and that may be why", "", unknown, "kustomize.config.k8s.io/id", finding.Info},
		"NotMissing": {"nothing is missing", "", known, "kustomize.config.k8s.io/id", ""},
		"Kpt":        {"another host", "v4.5.7", unknown, object.PackageAnnotation, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			item := yaml.MustParse(crText)
			item.SetAnnotations(map[string]string{tc.annotation: "x"})
			function := Function{KustomizeVersion: func() string { return tc.version }}
			_, found, _ := function.Process(t.Context(), []*yaml.RNode{item}, yaml.MustParse(tc.config))
			var got finding.Severity
			for i, f := range found {
				if f.ID == finding.KustomizeOld {
					got = f.Severity
					if i > 0 {
						t.Errorf("%s: the cause does not come first\n%s", tc.reason, found)
					}
				}
			}
			if got != tc.want {
				t.Errorf("%s: want %q, got %q\n%s", tc.reason, tc.want, got, found)
			}
		})
	}
}
