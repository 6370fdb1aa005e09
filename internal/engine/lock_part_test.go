package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
)

// TestLockEntriesOfTheRun: a run reads the entries of a lock for its images, as strictly as ever,
// and no others: alike whether the lock is kept as text or as nodes.
func TestLockEntriesOfTheRun(t *testing.T) {
	t.Parallel()
	const cr = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  enableCommonBootImageImport: false
  dataImportCronTemplates:
  - metadata: {name: a}
    spec:
      schedule: ""
      managedDataSource: a
      template: {spec: {source: {registry: {url: "docker://quay.io/a/a:1"}}}}
  - metadata: {name: c}
    spec:
      schedule: ""
      managedDataSource: c
      template: {spec: {source: {registry: {url: "docker://fedora"}}}}
`
	const head = "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: l}\nimages:\n"
	digest := "sha256:" + strings.Repeat("0", 64)
	entry := func(reference, digest string) string {
		return "- reference: " + reference + "\n  digest: " + digest + "\n  mediaType: m/x\n  platforms:\n  - {os: linux, architecture: amd64}\n"
	}
	a, fedora := entry("quay.io/a/a:1", digest), entry("fedora", digest)
	for _, tc := range []struct {
		reason, text string
		says         []string
	}{
		{"what is used", a + fedora, nil},
		{"in quotes and in full", entry(`"quay.io/a/a:1"`, digest) + entry("docker.io/library/fedora:latest", digest), nil},
		{"after another field", "- mediaType: m/x\n  reference: quay.io/a/a:1\n  digest: " + digest + "\n  platforms:\n  - {os: linux, architecture: amd64}\n" + fedora, nil},
		{"a mistake in what is not used", entry("quay.io/a/b:1", "x") + a + fedora, nil},
		{"a mistake in what is used", entry("quay.io/a/b:1", digest) + entry("quay.io/a/a:1", "x") + fedora, []string{"GA602 images[1].digest 11"}},
		{"twice what is used", entry("quay.io/a/b:1", digest) + a + a + fedora, []string{"GA602 images[2].reference 15"}},
		{"twice what is not", entry("quay.io/a/b:1", digest) + entry("quay.io/a/b:1", digest) + a + fedora, nil},
		{"a reference that is none, which may be meant for an image of the run", a + fedora + entry("quay.io//b", digest), []string{"GA602 images[2].reference 15"}},
		{"no entry for what is used", a, []string{"GA601 spec.dataImportCronTemplates[1] 12"}},
		{"a field twice in what is used", strings.Replace(a, "  mediaType", "  digest: x\n  mediaType", 1) + fedora, []string{"GA602  1"}},
		{"an unknown field of what is used", strings.Replace(a, "mediaType", "mediumType", 1) + fedora, []string{"GA602 images[0].mediumType 7", "GA602 images[0].mediaType 5"}},
		{"a mistake in an operator", a + fedora + "operators:\n- {package: a, csv: \"\", architectures: [amd64]}\n", []string{"GA602 operators[0].csv 16"}},
	} {
		for form, text := range map[string]string{"text": head + tc.text, "nodes": strings.Replace(head, "images:", "images: # nodes", 1) + tc.text} {
			items, err := manifest.Parse("l.yaml", []byte(text))
			if err != nil {
				t.Fatalf("%s (%s): %v", tc.reason, form, err)
			}
			if isText := items[0].Field("images").Value.YNode().Kind == yaml.ScalarNode; isText != (form == "text") {
				t.Fatalf("%s: the lock is kept as text: %v, want %s", tc.reason, isText, form)
			}
			config := "kind: GoldenImages\napiVersion: goldenarch.dev/v1alpha1\nmetadata: {name: g}\n" +
				"spec: {lock: {mode: Require}, cluster: {workloadArchitectures: [amd64], controlPlaneArchitectures: [amd64]}}\n"
			crs, err := manifest.Parse("cr.yaml", []byte(cr))
			if err != nil {
				t.Fatal(err)
			}
			_, found := engine.Function{}.Render(t.Context(), append(crs, items...), engine.Given(yaml.MustParse(config)))
			var says []string
			for _, f := range found {
				if f.Severity == finding.Error {
					says = append(says, fmt.Sprintf("%s %s %d", f.ID.Public(), f.Field, f.Line))
				}
			}
			if diff := cmp.Diff(tc.says, says); diff != "" {
				t.Errorf("%s (%s) (-want +got):\n%s", tc.reason, form, diff)
			}
		}
	}
}
