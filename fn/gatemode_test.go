package fn_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// gateHome is a place of the multi-arch gate, and a CR in which GATE stands for
// what the CR says of it.
type gateHome struct {
	name, release, cr string
	unset, on, off    string
}

const gateTemplate = `- metadata: {name: app, annotations: {ssp.kubevirt.io/dict.architectures: "amd64,arm64", goldenarch.dev/claim: "amd64,arm64"}}
    spec: {managedDataSource: app, schedule: "0 */12 * * *", template: {spec: {source: {registry: {url: "docker://quay.io/acme/app:1"}}}}}
`

var gateHomes = []gateHome{
	{
		name:    "v1beta1",
		release: "1.17",
		unset:   "",
		on:      "  featureGates:\n    enableMultiArchBootImageImport: true # why\n",
		off:     "  featureGates:\n    enableMultiArchBootImageImport: false # why\n",
		cr: "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\nspec:\n  dataImportCronTemplates:\n  " +
			gateTemplate + "GATE",
	},
	{
		name:    "v1 list",
		release: "1.18",
		unset:   "  featureGates:\n  - name: other # why\n",
		on:      "  featureGates:\n  - name: enableMultiArchBootImageImport # why\n    state: Enabled\n",
		off:     "  featureGates:\n  - name: enableMultiArchBootImageImport # why\n    state: Disabled\n",
		cr: "apiVersion: hco.kubevirt.io/v1\n" +
			"kind: HyperConverged\n" +
			"metadata:\n" +
			"  name: kubevirt-hyperconverged\n" +
			"  annotations:\n" +
			"    a: b # c\n" +
			"spec:\n" +
			"GATE  workloadSources:\n" +
			"    dataImportCronTemplates:\n" +
			"    " +
			strings.Replace(gateTemplate, "    spec", "      spec", 1),
	},
	{
		name: "v1 field", release: "1.19", unset: "", on: "    enableMultiArchBootImageImport: true\n", off: "    enableMultiArchBootImageImport: false\n",
		cr: "apiVersion: hco.kubevirt.io/v1\n" +
			"kind: HyperConverged\n" +
			"metadata:\n" +
			"  name: kubevirt-hyperconverged\n" +
			"spec:\n" +
			"  workloadSources:\n" +
			"    enableCommonBootImageImport: false\n" +
			"    dataImportCronTemplates:\n" +
			"    " +
			strings.Replace(gateTemplate, "    spec", "      spec", 1) + "GATE",
	},
}

// TestGateModes: Enable turns the gate on whatever mode was before it, Keep changes nothing, a person's false
// stays, and a second run of each mode changes nothing.
func TestGateModes(t *testing.T) {
	t.Parallel()
	images := answersOf(t, "quay.io/acme/app:1: {platforms: [linux/amd64, linux/arm64]}")
	for _, home := range gateHomes {
		for _, state := range []string{home.unset, home.on, home.off} {
			for _, workload := range []string{"amd64", "amd64, arm64"} {
				original := roundTrip(t, strings.Replace(home.cr, "GATE", state, 1))
				run := func(input string, modes ...string) string {
					for _, mode := range modes {
						config := fmt.Sprintf(`apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: g}
spec: {release: %q, gate: %s, predefined: none, cluster: {workloadArchitectures: [%s]}}
`,
							home.release, mode, workload)
						output, found, err := runOn(t, input, config, images, "")
						if err != nil {
							t.Fatalf("%s, gate %s: %v\n%s\n%s", home.name, mode, err, found, input)
						}
						if again, _, err := runOn(t, output, config, images, ""); err != nil || again != output {
							t.Errorf("%s, gate %s: a second run changes something (%v):\n%s", home.name, mode, err, cmp.Diff(output, again))
						}
						input = output
					}
					return input
				}
				want := run(original, "Enable")
				for _, before := range [][]string{{"Keep"}, {"Auto"}, {"Disable"}, {"Disable", "Auto", "Disable"}} {
					if diff := cmp.Diff(want, run(run(original, before...), "Enable")); diff != "" {
						t.Errorf("%s, %q, %s nodes: Enable after %v (-without +got):\n%s", home.name, state, workload, before, diff)
					}
				}
				if diff := cmp.Diff(original, run(original, "Keep")); diff != "" {
					t.Errorf("%s, %q: Keep changes something:\n%s", home.name, state, diff)
				}
				if state == home.off {
					if diff := cmp.Diff(original, run(original, "Disable", "Auto", "Keep")); diff != "" {
						t.Errorf("%s: a person's false stays:\n%s", home.name, diff)
					}
				}
			}
		}
	}
}
