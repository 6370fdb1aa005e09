package forecast

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestReleases is what older releases do otherwise.
func TestReleases(t *testing.T) {
	t.Parallel()
	gate := func(version, more string) string {
		if version == "v1" {
			return "spec: {featureGates: [{name: enableMultiArchBootImageImport}], workloadSources: {enableCommonBootImageImport: false, dataImportCronTemplates: [" +
				more + "]}}"
		}
		return "spec: {featureGates: {enableMultiArchBootImageImport: true}, enableCommonBootImageImport: false, dataImportCronTemplates: [" + more + "]}"
	}
	custom := dict("c", "x", claims("amd64,arm64"))
	for _, tc := range []struct {
		reason, release, version, cr string
		gate                         bool
		ssp                          string // spec.enableMultipleArchitectures
		crons, sources               string
	}{
		{
			"the newest", "", "v1beta1", gate("v1beta1", custom),
			true, "true", "c-amd64 created, c-arm64 created", "x, x-amd64, x-arm64",
		},
		{
			"1.18: SSP makes the reference", "1.18", "v1beta1", gate("v1beta1", custom),
			true, "true", "c-amd64 created, c-arm64 created", "x, x-amd64, x-arm64",
		},
		{
			"1.18, v1: the gate is an entry of the list", "1.18", "v1", gate("v1", custom),
			true, "true", "c-amd64 created, c-arm64 created", "x, x-amd64, x-arm64",
		},
		{
			"1.17: SSP v0.24.1 has the reference for a template without a common template too", "1.17", "v1beta1", gate("v1beta1", custom),
			true, "true", "c-amd64 created, c-arm64 created", "x, x-amd64, x-arm64",
		},
		{
			"1.16: for one with a common template it does", "1.16", "v1beta1", gate("v1beta1", dict("c", "fedora", claims("amd64,arm64"))),
			true, "true", "c-amd64 created, c-arm64 created", "fedora, fedora-amd64, fedora-arm64",
		},
		{
			"1.17: so that the reference takes the cron of another template", "1.17", "v1beta1", gate("v1beta1", custom+","+dict("d", "x", "")),
			true, "true", "c-amd64 created, c-arm64 created, d removed", "x, x-amd64, x-arm64",
		},
		{
			"1.15: no gate, no claims, one cron", "1.15", "v1beta1", gate("v1beta1", custom),
			false, "nil", "c created", "x",
		},
		{
			"1.18, v1: the field is pruned", "1.18", "v1",
			"spec: {workloadSources: {enableMultiArchBootImageImport: true, enableCommonBootImageImport: false, dataImportCronTemplates: [" + custom + "]}}",
			false, "false", "c created", "x",
		},
		{
			"1.18, v1: the entry's name is compared with case", "1.18", "v1", strings.Replace(gate("v1", custom), "enableMultiArch", "EnableMultiArch", 1),
			false, "false", "c created", "x",
		},
		{
			"the newest compares without", "", "v1", strings.Replace(gate("v1", custom), "enableMultiArch", "EnableMultiArch", 1),
			true, "true", "c-amd64 created, c-arm64 created", "x, x-amd64, x-arm64",
		},
		{
			"1.18: what a conversion of 1.19 keeps means nothing, unreadable or not", "1.18", "v1beta1",
			"{metadata: {name: kubevirt-hyperconverged, annotations: {hco.kubevirt.io/v1-only-fields: '{'}}, " +
				"spec: {enableCommonBootImageImport: false, dataImportCronTemplates: [" +
				custom + "]}}",
			false, "nil", "c created", "x",
		},
		{
			"1.16: an explicit false is given on", "1.16", "v1beta1", strings.Replace(gate("v1beta1", custom), "Import: true", "Import: false", 1),
			false, "false", "c created", "x",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			f := Predict(Input{CR: crOf(t, tc.version, tc.cr), Cluster: mixed(), Release: release(t, tc.release)})
			pointer := "nil"
			if p := f.SSPEnableMultipleArchitectures; p != nil {
				pointer = fmt.Sprint(*p)
			}
			if f.Error != "" || f.MultiArchEnabled != tc.gate || pointer != tc.ssp {
				t.Errorf("error %q, gate %v, SSP's %s; want %v, %s", f.Error, f.MultiArchEnabled, pointer, tc.gate, tc.ssp)
			}
			if got := outcomes(f.Crons); got != tc.crons {
				t.Errorf("crons: want %s, got %s", tc.crons, got)
			}
			var sources []string
			for _, o := range f.DataSourcesAfterCDI {
				sources = append(sources, o.Name())
			}
			if got := strings.Join(sources, ", "); got != tc.sources {
				t.Errorf("DataSources: want %s, got %s", tc.sources, got)
			}
		})
	}
}

// TestReleaseOfNodeInfo: the default architecture has a field from 1.19 on.
func TestReleaseOfNodeInfo(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"": "arm64", "1.20": "arm64", "1.19": "arm64", "1.18": "", "1.15": ""} {
		all := mixed()
		all.Default = arch.ARM64
		f := Predict(Input{CR: crOf(t, "v1beta1", ""), Cluster: all, Release: release(t, in)})
		if f.DefaultWorkloadArchitecture != want {
			t.Errorf("release %q: want %q, got %q", in, want, f.DefaultWorkloadArchitecture)
		}
	}
}

// TestBeforeMultiArch is 1.15: an annotation like any other, no architectures in
// the SSP CR, so that SSP refuses none, and no alerts.
func TestBeforeMultiArch(t *testing.T) {
	t.Parallel()
	cr := crOf(t, "v1beta1", "spec: {dataImportCronTemplates: ["+dict("c", "x", claims("s390x"))+"]}")
	power := nodes(arch.NewSet(arch.PPC64LE), arch.NewSet(arch.AMD64, arch.PPC64LE))
	f := Predict(Input{CR: cr, Table: hyperconverged.Upstream(), Cluster: power, Release: release(t, "1.15")})
	if f.SSPRejected != "" || f.SSPCluster != nil || len(f.Alerts) > 0 {
		t.Errorf("refused %q, cluster %v, alerts %v", f.SSPRejected, f.SSPCluster, f.Alerts)
	}
	if got := outcomes(f.Crons); got != "c created, centos-stream10-image-cron created, centos-stream9-image-cron created, fedora-image-cron created" {
		t.Errorf("crons: %s", got)
	}
	if got := texts(f.DataImportCrons[0].Child("metadata")["annotations"])[hyperconverged.ClaimAnnotation]; got != "s390x" {
		t.Errorf("the claim stays on the cron as it is: got %q", got)
	}
	if _, has := texts(f.SSPTemplates[1].Child("metadata")["annotations"])[hyperconverged.ClaimAnnotation]; has {
		t.Error("the table of 1.15 has no claims")
	}
}

// TestNoImages is where no operator makes anything.
func TestNoImages(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, version, release string
		platform                 v1alpha1.Platform
		nothing                  string
	}{
		{"OpenShift", "v1", "", v1alpha1.OpenShift, ""},
		{"not said", "v1", "", "", ""},
		{"plain Kubernetes has no SSP", "v1", "", v1alpha1.Kubernetes, "only on OpenShift"},
		{"1.17 does not serve v1", "v1", "1.17", "", "HCO 1.17 does not serve hco.kubevirt.io/v1"},
		{"but v1beta1", "v1beta1", "1.17", "", ""},
		{"1.18 serves both", "v1", "1.18", "", ""},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			f := Predict(Input{
				CR: crOf(t, tc.version, ""), Table: hyperconverged.Upstream(), Cluster: mixed(), Release: release(t, tc.release), Platform: tc.platform,
			})
			if tc.nothing == "" {
				if f.NoImagesBecause != "" || f.Status == nil || f.DataImportCrons == nil {
					t.Errorf("expected something, got nothing: %q", f.NoImagesBecause)
				}
				return
			}
			if !strings.Contains(f.NoImagesBecause, tc.nothing) || f.Status != nil || f.SSPTemplates != nil || f.DataImportCrons != nil || len(f.Alerts) > 0 {
				t.Errorf("want %q and nothing else, got %q, %v, %v", tc.nothing, f.NoImagesBecause, f.Status, f.Alerts)
			}
			if len(f.WorkloadArchitectures) != 2 {
				t.Errorf("the architectures are told all the same: got %v", f.WorkloadArchitectures)
			}
		})
	}
}
