package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// lockOf is a lock in which an image has architectures.
func lockOf(image string, architectures ...string) string {
	text := "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: golden-images}\nimages:\n- reference: " + image +
		"\n  digest: " + registrytest.Index("linux/amd64").Digest() + "\n  mediaType: application/vnd.oci.image.index.v1+json\n  platforms:\n"
	for _, a := range architectures {
		text += "  - {os: linux, architecture: " + a + "}\n"
	}
	return text
}

// oneTemplate is a CR of either version with one template.
func oneTemplate(version, annotations, spec string) string {
	template := "- metadata: {name: app, annotations: {" + annotations + "}}\n  spec:\n    managedDataSource: app\n    schedule: \"0 0 * * *\"\n" +
		"    template: {spec: {source: {registry: {url: \"docker://quay.io/acme/app:1\"}}, storage: {resources: {requests: {storage: 10Gi}}}}}\n"
	head := "apiVersion: hco.kubevirt.io/" + version +
		"\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\nspec:\n"
	if version == "v1" {
		return head + spec + "  workloadSources:\n    enableMultiArchBootImageImport: true\n    dataImportCronTemplates:\n    " +
			strings.ReplaceAll(strings.TrimSpace(template), "\n", "\n    ") + "\n"
	}
	return head + spec + "  featureGates: {enableMultiArchBootImageImport: true}\n  dataImportCronTemplates:\n  " +
		strings.ReplaceAll(strings.TrimSpace(template), "\n", "\n  ") + "\n"
}

// TestCheckDisproved: declared architectures that the lock disproves are an error
// where they reach the cluster, and a warning where they do not.
func TestCheckDisproved(t *testing.T) {
	t.Parallel()
	const both = `ssp.kubevirt.io/dict.architectures: "amd64,arm64"`
	for _, tc := range []struct {
		reason      string
		annotations string
		locked      []string
		args        []string
		status      int
		says        []string
		never       []string
	}{
		{
			reason:      "kept, and an import fails",
			annotations: both,
			locked:      []string{"amd64"},
			args:        []string{"--set", "existing=Keep"},
			status:      1,
			says:        []string{"error GA104", "import fails", "still creates DataImportCrons for arm64"},
		},
		{
			reason:      "narrowed, and no import fails",
			annotations: both,
			locked:      []string{"amd64"},
			says:        []string{"warning GA104"},
			never:       []string{"error ", "import fails"},
		},
		{
			reason:      "replaced",
			annotations: both,
			locked:      []string{"amd64"},
			args:        []string{"--set", "existing=Replace"},
			says:        []string{"warning GA104"},
			never:       []string{"error ", "import fails"},
		},
		{
			reason:      "of goldenarch's own, and stale",
			annotations: both + `, goldenarch.dev/claim: "amd64,arm64"`,
			locked:      []string{"amd64"},
			says:        []string{"warning GA104", "declares arm64, but quay.io/acme/app:1 has amd64"},
			never:       []string{"error ", "import fails"},
		},
		{
			reason:      "of goldenarch's own, and the image has more: not wrong",
			annotations: `ssp.kubevirt.io/dict.architectures: "amd64", goldenarch.dev/claim: "amd64"`,
			locked:      []string{"amd64", "arm64"},
			never:       []string{"error ", "warning GA104"},
		},
		{
			reason:      "declared without a name",
			annotations: `ssp.kubevirt.io/dict.architectures: ""`,
			locked:      []string{"amd64"},
			says:        []string{"warning GA104", "names no architecture"},
		},
		{
			reason:      "the gate is off: nothing is made for an architecture",
			annotations: both,
			locked:      []string{"amd64"},
			args:        []string{"--set", "existing=Keep", "--set", "gate=Disable"},
			says:        []string{"warning GA104"},
			never:       []string{"error ", "import fails"},
		},
		{
			reason:      "no workload node has it",
			annotations: both,
			locked:      []string{"amd64"},
			args:        []string{"--set", "existing=Keep", "--workload-architectures", "amd64"},
			says:        []string{"warning GA104"},
			never:       []string{"error ", "import fails"},
		},
		{
			reason:      "the template is disabled",
			annotations: both + `, dataimportcrontemplate.kubevirt.io/enable: "false"`,
			locked:      []string{"amd64"},
			args:        []string{"--set", "existing=Keep"},
			never:       []string{"error ", "import fails"},
		},
		{
			reason:      "an override is believed as a registry is",
			annotations: both,
			locked:      []string{"amd64", "arm64"},
			args:        []string{"--set", "existing=Keep", "--config", "OVERRIDE"},
			status:      1,
			says:        []string{"error GA104", "import fails"},
		},
		{
			reason:      "right",
			annotations: both,
			locked:      []string{"amd64", "arm64"},
			args:        []string{"--set", "existing=Keep"},
			says:        []string{"boots"},
			never:       []string{"error ", "import fails", "GA104"},
		},
		{
			reason:      "not known: what is declared is believed",
			annotations: both,
			locked:      []string{"amd64"},
			args:        []string{"--set", "unresolved=Keep", "--set", "lock=Ignore", "--set", "registryRetries=0", "--registry-allow", "none.example"},
			says:        []string{"warning GA201", "deployed  ?      ?"},
			never:       []string{"import fails"},
		},
	} {
		for _, version := range []string{"v1beta1", "v1"} {
			t.Run(fmt.Sprintf("%s/%s", tc.reason, version), func(t *testing.T) {
				t.Parallel()
				l := newLockedTree(t)
				l.write("override.yaml",
					"apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {overrides: [{template: app, architectures: [amd64]}]}\n")
				args := []string{"check", "-", "--as", "rendered", "--release", "1.19"}
				if !slices.Contains(tc.args, "gate=Disable") {
					args = append(args, "--set", "gate=Keep")
				}
				if !strings.Contains(strings.Join(tc.args, " "), "--workload-architectures") {
					args = append(args, "--workload-architectures", "amd64,arm64")
				}
				for _, arg := range tc.args {
					args = append(args, strings.ReplaceAll(arg, "OVERRIDE", l.path("override.yaml")))
				}
				in := oneTemplate(version, tc.annotations, "") + "---\n" + lockOf("quay.io/acme/app:1", tc.locked...)
				for format, show := range map[string]bool{"text": true, "markdown": false, "html": false, "junit": false} {
					status, out, errs := runFed(t, in, append(args, "-o", format)...)
					if status != tc.status {
						t.Errorf("%s: want status %d, got %d\n%s%s", format, tc.status, status, out, errs)
					}
					if !show {
						fails := strings.Contains(out, "import fails")
						if want := strings.Contains(strings.Join(tc.says, "\n"), "import fails"); fails != want {
							t.Errorf("%s: want the failing import shown: %v\n%s", format, want, out)
						}
						continue
					}
					for _, text := range tc.says {
						if !strings.Contains(out, text) {
							t.Errorf("want %q:\n%s", text, out)
						}
					}
					for _, text := range tc.never {
						if strings.Contains(out, text) {
							t.Errorf("want no %q:\n%s", text, out)
						}
					}
				}
			})
		}
	}
}
