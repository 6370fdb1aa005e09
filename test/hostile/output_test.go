//go:build unix

package hostile

import (
	"errors"
	"io"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

const head = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\n"

// valid fails the test if a stream is not valid YAML in each document.
func valid(t *testing.T, text string) {
	t.Helper()
	for decoder := yaml.NewDecoder(strings.NewReader(text)); ; {
		var value any
		switch err := decoder.Decode(&value); {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			t.Fatalf("the output is not valid YAML: %v\n%s", err, text)
		}
	}
}

// TestKeysTwice: a key that is in an object twice is an error, or both copies become
// one, and a run on the output changes nothing.
func TestKeysTwice(t *testing.T) {
	t.Parallel()
	const template = "{metadata: {name: a, annotations: {ssp.kubevirt.io/dict.architectures: amd64}}, " +
		"spec: {managedDataSource: a, schedule: '0 1 * * *', template: {spec: {source: {registry: {url: 'docker://quay.io/a/b:1'}}}}}}"
	const locked = "---\napiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: l}\nimages:\n" +
		"- {reference: 'quay.io/a/b:1', digest: 'sha256:0000000000000000000000000000000000000000000000000000000000000001', " +
		"mediaType: application/vnd.oci.image.index.v1+json, size: 500, " +
		"platforms: [{os: linux, architecture: amd64}, {os: linux, architecture: arm64}]}\n"
	for name, tc := range map[string]struct {
		text   string
		status int
		key    string // the line that stays once
	}{
		"Spec": {text: head + "spec: {}\nspec: {}\n", key: "\nspec:"},
		"Templates": {
			text: head + "spec:\n  dataImportCronTemplates: [" + template + "]\n  dataImportCronTemplates: [" + template + "]\n",
			key:  "dataImportCronTemplates:",
		},
		"SpecOfTemplates": {
			text: head + "spec:\n  dataImportCronTemplates: [" + template + "]\nspec:\n  dataImportCronTemplates: [" + template + "]\n",
			key:  "\nspec:",
		},
		"Alias": {text: head + "x: &k spec\nspec: {}\n*k : {}\n", key: "\nspec:"},
		"AliasOfList": {
			text: head + "x: &k dataImportCronTemplates\nspec:\n  dataImportCronTemplates: [" + template + "]\n  *k : [" + template + "]\n",
			key:  "dataImportCronTemplates:",
		},
		"AliasDiffers": {text: head + "x: &k spec\nspec: {}\n*k : {a: b}\n", status: 1},
	} {
		for _, function := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				known := []string{"--set", "predefined=none", "--workload-architectures", "amd64,arm64", "--set", "lock=Require"}
				run := func(text string) Result {
					if function {
						return Run(t, known, listOf(text), Limits{})
					}
					return Run(t, append([]string{"render", "-"}, known...), text, Limits{})
				}
				first := run(tc.text + locked)
				if first.Status != tc.status {
					t.Fatalf("want status %d, got %d and\n%s", tc.status, first.Status, first.Stderr)
				}
				if tc.status != 0 {
					return
				}
				output := first.Stdout
				if function {
					valid(t, output)
					if again := Run(t, known, output, Limits{}); again.Status != 0 || stripped(again.Stdout) != stripped(output) {
						t.Errorf("the second run gave %d and\n%s%s\nof\n%s", again.Status, again.Stdout, again.Stderr, output)
					}
				} else {
					valid(t, output)
					if again := run(output + locked); again.Status != 0 || again.Stdout != output {
						t.Errorf("the second run gave %d and\n%s%s\nof\n%s", again.Status, again.Stdout, again.Stderr, output)
					}
				}
				if n := strings.Count(output, tc.key); !function && n > 1 {
					t.Errorf("%q is there %d times:\n%s", tc.key, n, output)
				}
			})
		}
	}
}

// listOf returns a ResourceList with the documents of a text as items.
func listOf(text string) string {
	out := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
	for document := range strings.SplitSeq(text, "\n---\n") {
		out += "- " + strings.ReplaceAll(strings.TrimSpace(document), "\n", "\n  ") + "\n"
	}
	return out
}

// stripped returns a ResourceList without its results.
func stripped(text string) string { before, _, _ := strings.Cut(text, "\nresults:"); return before }

// TestAliasesAcrossAList: aliases that lead out of the items are written out, so
// that the items are valid YAML wherever they go.
func TestAliasesAcrossAList(t *testing.T) {
	t.Parallel()
	item := "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, data: *a}"
	cr := "- " + strings.ReplaceAll(strings.TrimSpace(head+"spec: {}"), "\n", "\n  ") + "\n"
	for name, list := range map[string]string{
		"Top": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nx: &a {k: v}\nitems:\n" + cr + "- " + item + "\n",
		"Block": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nx: &a\n  k: v\nitems:\n" +
			cr + "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: m}\n  data: *a\n",
		"Config": "apiVersion: config.kubernetes.io/v1\n" +
			"kind: ResourceList\n" +
			"functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: c, labels: &a {k: v}}, data: {predefined: none}}\n" +
			"items:\n" +
			cr + "- " + item + "\n",
		"InTheCR": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nx: &a {k: v}\nitems:\n" +
			strings.Replace(cr, "namespace:", "labels: *a, namespace:", 1),
		"Shadowed": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nx: &a {k: w}\ny: &a {k: v}\nitems:\n" + cr + "- " + item + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			args := []string{"--set", "predefined=none", "--workload-architectures", "amd64", "--set", "lock=Require"}
			got := Run(t, args, list, Limits{})
			if got.Status != 0 {
				t.Fatalf("want status 0, got %d and\n%s", got.Status, got.Stderr)
			}
			valid(t, got.Stdout)
			if !strings.Contains(got.Stdout, "k: v") {
				t.Errorf("the value is lost:\n%s", got.Stdout)
			}
			if again := Run(t, args, got.Stdout, Limits{}); again.Status != 0 || stripped(again.Stdout) != stripped(got.Stdout) {
				t.Errorf("the second run gave %d and\n%s%s\nof\n%s", again.Status, again.Stdout, again.Stderr, got.Stdout)
			}
		})
	}
}
