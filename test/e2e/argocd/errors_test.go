package argocd

import (
	"os"
	"strings"
	"testing"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
)

// TestErrors: what a user reads in the Application's conditions.
func TestErrors(t *testing.T) {
	t.Parallel()
	const secret = "hunter2-and-a-half"
	t.Cleanup(func() { // when all of them have run
		if !log.waitFor(0, has("failed exit status 1")) || strings.Contains(log.String(), secret) {
			t.Error("the log of the sidecar has not the errors, or has the password")
		}
	})
	lines := func(file, old, now string) string {
		data, err := os.ReadFile(example("application", file))
		if err != nil || !strings.Contains(string(data), old) {
			t.Fatalf("%s has no %q: %v", file, old, err)
		}
		return strings.ReplaceAll(string(data), old, now)
	}
	for name, tc := range map[string]struct {
		reason string
		change map[string]string
		plugin *v1alpha1.ApplicationSourcePlugin
		says   []string
	}{
		"NotLocked": {
			reason: "an image that the lock lacks, and a password in its reference",
			change: map[string]string{
				"hyperconverged.yaml": lines("hyperconverged.yaml", "docker://registry.example.com/vm/appliance:2.4",
					"docker://robot:"+secret+"@registry.example.com/vm/appliance:2.5"),
			},
			says: []string{"`goldenarch render .` failed exit status 1: error GA", "hyperconverged.yaml:"},
		},
		"Parameter": {
			reason: "a misspelt parameter", plugin: named(text("relaese", "4.22")),
			says: []string{`failed exit status 1: goldenarch: plugin parameter: unknown setting "relaese"; did you mean "release"?`},
		},
		"Word": {
			reason: "a wrong word", plugin: named(text("expand", "emit")),
			says: []string{`goldenarch: the plugin parameters of the Application: spec.expand.mode: unknown mode "emit"`, `did you mean "Emit"?`},
		},
		"Unsupported": {
			reason: "warnings do not hide the error", plugin: named(array("workload-architectures", "ppc64le"), text("unsupported", "Fail")),
			says: []string{"error GA111"},
		},
		"Broken": {
			reason: "a file with a Secret that is no YAML",
			change: map[string]string{"secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: " + secret + ": x: [}\n"},
			says:   []string{"error GA001: secret.yaml: the document that begins at line 1 is not YAML"},
		},
		"Kustomization": {
			reason: "kustomize's own words, without the directory of this one call",
			change: map[string]string{"kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [../../base, none.yaml]\n"},
			says:   []string{"error GA001: build .: accumulating resources: accumulation err='accumulating resources from 'none.yaml'"},
		},
		"Literal": {
			reason: "a Secret that kustomize cannot make, and prints",
			change: map[string]string{"kustomization.yaml": "secretGenerator: [{name: s, literals: [" + secret + "]}]\nvars: []\n"},
			says:   []string{"error GA001: build .: ", "expected key=value"},
		},
		"Many": {
			reason: "many errors are one screen",
			change: map[string]string{"hyperconverged.yaml": manyTemplates()},
			says:   []string{"error GA601", "and 20 more lines: run 'goldenarch render' on the directory"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plugin := tc.plugin
			if plugin == nil {
				plugin = named()
			}
			r := newRepo(t, tc.change)
			r.write(t, "base/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamePrefix: x-\n")
			var told [2]string
			for i := range told {
				objects, err := r.generate(t.Context(), plugin)
				if err == nil {
					t.Fatalf("%s: no error, and %d objects", tc.reason, len(objects))
				}
				told[i] = err.Error()
			}
			for _, part := range tc.says {
				if !strings.Contains(told[0], part) {
					t.Errorf("%s: the user must read %q, and reads:\n%s", tc.reason, part, told[0])
				}
			}
			if told[0] != told[1] {
				t.Errorf("%s: the same failure has other words the next time, so the Application changes for ever:\n%s\n%s", tc.reason, told[0], told[1])
			}
			for _, part := range []string{secret, "warning GA", "info GA", "_cmp_server"} {
				if strings.Contains(told[0], part) {
					t.Errorf("%s: the user must not read %q, and reads:\n%s", tc.reason, part, told[0])
				}
			}
			if len(told[0]) > 8000 {
				t.Errorf("%s: %d bytes are not short", tc.reason, len(told[0]))
			}
		})
	}
}

// manyTemplates is a CR with 30 images that no lock has.
func manyTemplates() string {
	var b strings.Builder
	b.WriteString(`apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: openshift-cnv}
spec:
  dataImportCronTemplates:
`)
	for i := range 30 {
		name := "app-" + string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		b.WriteString("  - metadata: {name: " + name + "}\n    spec: {managedDataSource: " + name + ", schedule: '0 3 * * 1', " +
			"template: {spec: {source: {registry: {url: 'docker://registry.example.com/vm/" + name + ":1'}}, storage: {resources: {requests: {storage: 1Gi}}}}}}\n")
	}
	return b.String()
}
