package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// global are the findings about the Fleet and all clusters together, which no part can judge: an entry
// that matches no cluster, an exception without an effect, and another number of clusters.
var global = []string{"GA810", "GA876", "GA864"}

// TestPartsOfAFleet: what checks of parts of a repository say, with the Fleet above them, is together
// what a check of the whole says: the same clusters, and the same findings about them. What is global,
// the whole says alone.
func TestPartsOfAFleet(t *testing.T) {
	t.Parallel()
	cr := func(claim string) string {
		return strings.Replace(unstated, "{name: a}", "{name: a, annotations: {ssp.kubevirt.io/dict.architectures: '"+claim+"'}}", 1)
	}
	const gate = "spec:\n  enableCommonBootImageImport: false\n  featureGates: {enableMultiArchBootImageImport: true}\n"
	right, wrong := strings.Replace(cr("amd64"), "spec:\n", gate, 1), strings.Replace(cr("amd64,s390x"), "spec:\n", gate, 1)
	const nodes = "workloadArchitectures: [amd64, s390x], controlPlaneArchitectures: [amd64], release: \"1.19\""
	const machine = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: m, namespace: n}\n" +
		"spec: {template: {spec: {architecture: s390x, domain: {}, volumes: [{name: a, dataVolume: {name: a}}]}}, dataVolumeTemplates: [" +
		"{metadata: {name: a}, spec: {sourceRef: {kind: DataSource, name: a, namespace: openshift-virtualization-os-images}}}]}\n"
	const config = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec:\n  findings:\n"
	dir := writeTree(t, map[string]string{
		".git/HEAD": "ref: refs/heads/main\n",
		"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n" +
			"- {paths: [\"clusters/eu/*\"], config: config/eu.yaml, " + nodes + "}\n- {paths: [\"clusters/us/*\"], as: rendered, " + nodes + "}\n" +
			"- {paths: [\"clusters/gone/*\"], " + nodes + "}\n",
		"config/eu.yaml":                   config + "    GA437: Ignore\n    GA517: Info\n    GA701: Info\n",
		"clusters/eu/a/hco.yaml":           right,
		"clusters/eu/b/hco.yaml":           wrong,
		"clusters/us/c/hco.yaml":           strings.Replace(right, "metadata: {name: a,", "metadata: {name: \"\",", 1),
		"clusters/us/d/hco.yaml":           wrong,
		"clusters/us/e/kustomization.yaml": "resources: [../../../base, vm.yaml]\n",
		"clusters/us/e/vm.yaml":            machine,
		"clusters/us/f/kustomization.yaml": "resources: [../../../base]\npatches: [{path: patch.yaml}]\n",
		"clusters/us/f/patch.yaml":         strings.SplitN(right, "spec:", 2)[0] + "spec: {featureGates: {enableMultiArchBootImageImport: false}}\n",
		"base/kustomization.yaml":          "resources: [hco.yaml]\n",
		"base/hco.yaml":                    wrong,
	})
	whole := partOf(t, dir, ".")
	for _, tc := range []struct {
		reason string
		parts  []string
	}{
		{"each cluster by itself", []string{"clusters/eu/a", "clusters/eu/b", "clusters/us/c", "clusters/us/d", "clusters/us/e", "clusters/us/f"}},
		{"a directory for each entry", []string{"clusters/eu", "clusters/us"}},
	} {
		var union part
		for _, path := range tc.parts {
			one := partOf(t, dir, path)
			union.clusters, union.findings = append(union.clusters, one.clusters...), append(union.findings, one.findings...)
		}
		slices.Sort(union.clusters)
		slices.Sort(union.findings)
		if diff := cmp.Diff(whole.clusters, union.clusters); diff != "" {
			t.Errorf("%s: other clusters (-whole +parts):\n%s", tc.reason, diff)
		}
		ofClusters := slices.DeleteFunc(slices.Clone(whole.findings), func(f string) bool { return slices.Contains(global, f[:5]) })
		if diff := cmp.Diff(ofClusters, union.findings); diff != "" {
			t.Errorf("%s: other findings (-whole +parts):\n%s", tc.reason, diff)
		}
	}
	for _, id := range global[:2] {
		if !slices.ContainsFunc(whole.findings, func(f string) bool { return strings.HasPrefix(f, id) }) {
			t.Errorf("the whole must report %s: %v", id, whole.findings)
		}
	}
}

// part is what a check says: its clusters with their verdicts, and a line for each finding in each cluster.
type part struct{ clusters, findings []string }

func partOf(t *testing.T, dir, path string) part {
	t.Helper()
	out, errs, status := runIn(t, dir, "check", path, "-o", "json", "--offline", "--image", "registry.example/acme/a:1=amd64")
	var report struct {
		Findings []struct {
			ID, Severity, File, Field, Text string
			Line                            int
			Clusters                        []string
		}
		CRs []struct {
			Object  struct{ Cluster, File string }
			Verdict string
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || status > 1 {
		t.Fatalf("%s: status %d: %v\n%s%s", path, status, err, out, errs)
	}
	var all part
	for _, cr := range report.CRs {
		all.clusters = append(all.clusters, cr.Object.Cluster+" "+cr.Object.File+" "+cr.Verdict)
	}
	for _, f := range report.Findings {
		line, err := json.Marshal([]any{f.Severity, f.File, f.Line, f.Field, f.Text})
		if err != nil {
			t.Fatal(err)
		}
		for _, cluster := range append(f.Clusters, map[bool][]string{true: {""}}[len(f.Clusters) == 0]...) {
			all.findings = append(all.findings, f.ID+" "+cluster+" "+string(line))
		}
	}
	slices.Sort(all.clusters)
	slices.Sort(all.findings)
	return all
}
