package cli

import (
	"os"
	"strings"
	"testing"
)

// TestUnlisted: a GoldenImages that is read by nobody is warned of, by every verb
// that builds.
func TestUnlisted(t *testing.T) {
	const warning = "warning GA119 (g.yaml): the kustomization beside this GoldenImages does not list it, " +
		"so its settings have no effect. Name it as config of the directory in the Fleet, or list it under transformers of the kustomization"
	for _, tc := range []struct {
		reason, listed string
		args           []string
		want           bool
	}{
		{"its settings do nothing", "resources: [hco.yaml]", []string{"render", "."}, true},
		{"nor where it is judged", "resources: [hco.yaml]", []string{"check", "."}, true},
		{"nor where it is locked", "resources: [hco.yaml]", []string{"lock", "."}, true},
		{"nor where it is foretold", "resources: [hco.yaml]", []string{"forecast", "."}, true},
		{"a transformer counts", "resources: [hco.yaml]\ntransformers: [g.yaml]", []string{"render", "."}, false},
		{"so does a resource", "resources: [hco.yaml, g.yaml]", []string{"render", "."}, false},
		{"and a file that is listed under another name", "resources: [hco.yaml, link.yaml]", []string{"render", "."}, false},
		{"it is given", "resources: [hco.yaml]", []string{"render", ".", "--config", "g.yaml"}, false},
		{"it is given as a path", "resources: [hco.yaml]", []string{"render", ".", "./g.yaml"}, false},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			written(t, map[string]string{
				"kustomization.yaml": kustomized + tc.listed + "\n",
				"g.yaml":             ownConfig,
				"below/g.yaml":       ownConfig,
				"cm.yaml":            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: GoldenImages}\n",
				"hco.yaml":           "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: openshift-cnv}\n",
			}, ".")
			if err := os.Symlink("g.yaml", "link.yaml"); err != nil || !strings.Contains(tc.listed, "link") && os.Remove("link.yaml") != nil {
				t.Fatal(err)
			}
			_, out, errs := runFed(t, "", tc.args...)
			said := out + errs
			if got := strings.Contains(said, warning); got != tc.want || strings.Count(said, "GA119") > 1 || !tc.want && strings.Contains(said, "GA119") {
				t.Errorf("%s: warned: %v, want %v\n%s", tc.reason, got, tc.want, said)
			}
		})
	}
}

// TestUnlistedWorkloads: the same of a WorkloadArchitectures.
func TestUnlistedWorkloads(t *testing.T) {
	written(t, map[string]string{
		"kustomization.yaml": kustomized + "resources: [a.yaml]\n", "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "pods.yaml": podsConfig,
	}, ".")
	_, _, errs := runFed(t, "", "render", ".")
	if want := "warning GA119 (pods.yaml): the kustomization beside this WorkloadArchitectures does not list it"; !strings.Contains(errs, want) {
		t.Errorf("want %q, got\n%s", want, errs)
	}
}
