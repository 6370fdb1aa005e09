package engine_test

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
)

// TestPollerLacks: a Secret of a template is missing for CDI where Git has it in the namespace of the golden images alone.
func TestPollerLacks(t *testing.T) {
	t.Parallel()
	const secret = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: pull, namespace: NAMESPACE}\nstringData: {accessKeyId: u, secretKey: p}\n"
	in := func(namespaces ...string) string {
		out := ""
		for _, one := range namespaces {
			out += strings.Replace(secret, "NAMESPACE", one, 1)
		}
		return out
	}
	const images, own = "openshift-virtualization-os-images", "openshift-cnv"
	for _, tc := range []struct {
		reason, source, beside string
		want                   int
	}{
		{"in the namespace of the images alone", "url: 'docker://quay.io/a/b:1', secretRef: pull", in(images), 1},
		{"in both", "url: 'docker://quay.io/a/b:1', secretRef: pull", in(images, own), 0},
		{"in that of the CR alone, which other findings are about", "url: 'docker://quay.io/a/b:1', secretRef: pull", in(own), 0},
		{"in neither: it may be on the cluster", "url: 'docker://quay.io/a/b:1', secretRef: pull", "", 0},
		{"the template names none", "url: 'docker://quay.io/a/b:1'", in(images), 0},
		{"an ImageStream has no poller", "imageStream: b, pullMethod: node, secretRef: pull", in(images), 0},
	} {
		text := "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: " + own + "}\nspec:\n" +
			"  dataImportCronTemplates:\n  - metadata: {name: app, annotations: {ssp.kubevirt.io/dict.architectures: amd64}}\n" +
			"    spec:\n      schedule: 0 1 * * *\n      managedDataSource: app\n" +
			"      template: {spec: {source: {registry: {" + tc.source + "}}, storage: {resources: {requests: {storage: 1Gi}}}}}\n" + tc.beside
		items, err := manifest.Parse("hco.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		function := engine.Function{}
		function.Options.Offline = true
		function.Options.Flags = map[string]string{
			"release": "1.19", "predefined": "none", "workloadArchitectures": "amd64", "controlPlaneArchitectures": "amd64", "unresolved": "Keep",
		}
		result := function.Check(t.Context(), items, engine.Given(nil))
		n := 0
		for _, f := range result.Findings {
			if f.ID == finding.PollerLacks {
				n++
			}
		}
		if n != tc.want {
			t.Errorf("%s: want %d, got %d: %v", tc.reason, tc.want, n, result.Findings)
		}
	}
}
