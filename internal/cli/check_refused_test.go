package cli

import (
	"cmp"
	"strings"
	"testing"
)

// verdictCase is a check of a CR with one template and what it says.
type verdictCase struct {
	reason string
	cr     string
	args   []string
	// says and never are texts of the output, findings included.
	says, never []string
	status      int
	predefined  string // none if it is empty
}

func (tc verdictCase) run(t *testing.T) {
	t.Helper()
	args := append([]string{"check", "-", "--offline", "--set", "predefined=" + cmp.Or(tc.predefined, "none")}, tc.args...)
	status, out, errs := runFed(t, tc.cr, args...)
	said := out + errs
	if status != tc.status {
		t.Errorf("want status %d, got %d", tc.status, status)
	}
	for _, text := range tc.says {
		if !strings.Contains(said, text) {
			t.Errorf("want %q", text)
		}
	}
	for _, text := range tc.never {
		if strings.Contains(said, text) {
			t.Errorf("want no %q", text)
		}
	}
	if t.Failed() {
		t.Log(said)
	}
}

// TestSSPRefusesArchitectures: SSP makes no golden image of a cluster with an architecture
// that it does not know, so that nothing is deployed, and the check fails.
func TestSSPRefusesArchitectures(t *testing.T) {
	t.Parallel()
	cr := oneTemplate("v1", `ssp.kubevirt.io/dict.architectures: "amd64", goldenarch.dev/claim: "amd64"`, "")
	image := []string{"--image", "quay.io/acme/app:1=amd64"}
	for _, tc := range []verdictCase{
		{
			reason: "of workload nodes", cr: cr, status: 1,
			args:  append(image, "--release", "1.19", "--workload-architectures", "amd64,ppc64le", "--control-plane-architectures", "amd64"),
			says:  []string{"error GA304", "Exclude these nodes from the workload placement", "refused", "NotRight", "1 error, 0 warnings"},
			never: []string{"deployed", "GA517"},
		},
		{
			reason: "of control plane nodes", cr: cr, status: 1,
			args: append(image, "--release", "1.19", "--workload-architectures", "amd64", "--control-plane-architectures", "ppc64le"),
			says: []string{"error GA304", "a placement does not exclude it", "refused", "NotRight"}, never: []string{"deployed", "GA517"},
		},
		{
			reason: "the nodes of another architecture run no workloads", cr: cr,
			args:  append(image, "--release", "1.19", "--workload-architectures", "amd64", "--control-plane-architectures", "arm64"),
			never: []string{"GA304", "refused"}, says: []string{"deployed", "RightAsCommitted"},
		},
		{
			reason: "an HCO that does not write the architectures, and has no gate", status: 1,
			cr:    strings.ReplaceAll(oneTemplate("v1beta1", "", ""), "  featureGates: {enableMultiArchBootImageImport: true}\n", ""),
			args:  append(image, "--release", "1.15", "--workload-architectures", "amd64,ppc64le", "--control-plane-architectures", "amd64"),
			never: []string{"GA304", "refused"}, says: []string{"GA408", "deployed"},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			tc.run(t)
		})
	}
}

// TestNamesAndSchedules: what the API server refuses, and what CDI never imports, fails the
// check with one finding.
func TestNamesAndSchedules(t *testing.T) {
	t.Parallel()
	good := oneTemplate("v1", `ssp.kubevirt.io/dict.architectures: "amd64", goldenarch.dev/claim: "amd64"`, "")
	cluster := []string{
		"--image", "quay.io/acme/app:1=amd64", "--release", "1.19", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64",
	}
	for _, tc := range []verdictCase{
		{
			reason: "a name", cr: strings.Replace(good, "name: app", "name: A_b", 1), status: 1,
			says: []string{
				"error GA403", "dataImportCronTemplates[0].metadata.name", "The API server refuses the DataImportCron", "A_b       amd64 ",
				"1 error, 0 warnings",
			},
			never: []string{"deployed"},
		},
		{
			reason: "a DataSource", cr: strings.Replace(good, "managedDataSource: app", "managedDataSource: app.", 1), status: 1,
			says:  []string{"error GA403", "dataImportCronTemplates[0].spec.managedDataSource", "SSP fails on each reconcile", "1 error, 0 warnings"},
			never: []string{"deployed"},
		},
		{
			reason: "an empty schedule", cr: strings.Replace(good, `"0 0 * * *"`, `""`, 1), status: 1,
			says: []string{"error GA501", "amd64 (empty)", "1 error, 0 warnings"}, never: []string{"GA104", "GA513", "boots  "},
		},
		{
			reason: "a name that is too long for a CronJob", cr: strings.Replace(good, "name: app", "name: "+strings.Repeat("n", 38), 1), status: 1,
			says: []string{"error GA501", "at most 43 characters", "1 error, 0 warnings"},
		},
		{
			reason: "a template that fits no node, and that a person enabled", status: 1,
			cr: strings.NewReplacer("annotations: {", `annotations: {dataimportcrontemplate.kubevirt.io/enable: "true", `, `"amd64"`, `"s390x"`,
				"acme/app", "acme/zvm").Replace(good),
			args: []string{"--image", "quay.io/acme/zvm:1=s390x"},
			says: []string{"error GA515", "warning GA111", "a person enabled it"}, never: []string{"disabled-because"},
		},
		{
			reason: "one that fits", cr: strings.Replace(good, "name: app", "name: "+strings.Repeat("n", 37), 1),
			says: []string{"boots", "RightAsCommitted"}, never: []string{"GA501"},
		},
	} {
		tc.args = append(tc.args, cluster...)
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			tc.run(t)
		})
	}
}

// TestPredefinedLacksOnce: one finding says that the image of a predefined template lacks what
// HCO declares, with a fix for a template that is in the CR.
func TestPredefinedLacksOnce(t *testing.T) {
	t.Parallel()
	cr := strings.NewReplacer("name: app", "name: fedora-image-cron", "managedDataSource: app", "managedDataSource: fedora",
		"quay.io/acme/app:1", "quay.io/containerdisks/fedora:latest").Replace(oneTemplate("v1", "", ""))
	verdictCase{
		cr:         cr,
		predefined: "upstream",
		args: []string{
			"--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64",
			"--image", "quay.io/containerdisks/fedora:latest=amd64",
		},
		says: []string{"warning GA104", "Change the registry source", "0 errors, 1 warning"}, never: []string{"Add the template to the CR"},
	}.run(t)
}
