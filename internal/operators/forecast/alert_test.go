package forecast

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestAlerts is hco operator_alerts.go, on the gauges that HCO writes.
func TestAlerts(t *testing.T) {
	t.Parallel()
	off := "spec: {workloadSources: {enableCommonBootImageImport: false, dataImportCronTemplates: [" + dict("c", "x", "") + "]}}"
	single := nodes(arch.NewSet(arch.AMD64), arch.NewSet(arch.AMD64))
	for _, tc := range []struct {
		reason  string
		cr      *hyperconverged.CR
		cluster cluster.Architectures
		want    string
	}{
		{"all is well", on(t, dict("c", "x", claims("amd64,arm64"))), mixed(), ""},
		{"the claim is missing", on(t, dict("c", "x", "")), mixed(), NoArchitectureAnnotation + " c"},
		{"an empty claim is told as a missing one, though SSP does not get it", on(t, dict("c", "x", claims(""))), mixed(), NoArchitectureAnnotation + " c"},
		{"a blank claim is there", on(t, dict("c", "x", claims(" "))), mixed(), NoSupportedArchitecture + " c"},
		{"no architecture left", on(t, dict("c", "x", claims("s390x"))), mixed(), NoSupportedArchitecture + " c"},
		{"a blank after the comma loses arm64, and nothing fires", on(t, dict("c", "x", claims("amd64, arm64"))), mixed(), ""},
		{"on a cluster of one architecture the two fire as well", on(t, dict("c", "x", claims("arm64"))), single, NoSupportedArchitecture + " c"},
		{"the gate off, two architectures", crOf(t, "v1", off), mixed(), MultiArchDisabled},
		{"the gate off, one architecture", crOf(t, "v1", off), single, ""},
		{"the gate off, no templates", crOf(t, "v1", "spec: {workloadSources: {enableCommonBootImageImport: false}}"), mixed(), ""},
		{"a disabled template is in no status", on(t, dict("c", "x", ", annotations: {dataimportcrontemplate.kubevirt.io/enable: 'false'}")), mixed(), ""},
		{
			"SSP refuses: HCO writes no status, and no gauges",
			on(t, dict("c", "x", "")), nodes(arch.NewSet(arch.AMD64), arch.NewSet(arch.AMD64, arch.PPC64LE)), "",
		},
		{
			"SSP accepts and fails later: HCO has written", on(t, dict("c", "''", claims("amd64"))+","+dict("d", "x", "")), mixed(),
			NoArchitectureAnnotation + " d",
		},
		{
			"labels are in lower case: the last of two writes the gauge that the first wrote",
			on(t, dict("C", "x", claims("s390x"))+","+dict("c", "X", claims("amd64"))), mixed(), "",
		},
		{
			"the last has no claim: it leaves the other gauge as the first wrote it, so that both fire",
			on(t, dict("C", "x", claims("s390x"))+","+dict("c", "X", "")), mixed(), NoSupportedArchitecture + " c, " + NoArchitectureAnnotation + " c",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			f := Predict(Input{CR: tc.cr, Table: hyperconverged.Upstream(), Cluster: tc.cluster})
			if got := names(f.Alerts); got != tc.want {
				t.Errorf("want %q, got %q", tc.want, got)
			}
		})
	}
}

func TestAlertLabels(t *testing.T) {
	t.Parallel()
	f := Predict(Input{CR: on(t, dict("Mine", "X-Y", claims("s390x"))), Cluster: mixed()})
	want := []Alert{{
		Name: NoSupportedArchitecture, Template: "Mine",
		Labels: map[string]string{
			"severity": "warning", "operator_health_impact": "none", "data_import_cron_name": "mine", "managed_data_source_name": "x-y",
		},
		Why: `no workload node has one of the declared architectures "s390x", so HCO does not deploy the template`,
	}}
	if diff := cmp.Diff(want, f.Alerts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDocumentedTable: what is documented of OpenShift's built-in templates is
// predicted, and says so; what a person states counts instead.
func TestDocumentedTable(t *testing.T) {
	t.Parallel()
	cr := crOf(t, "v1", "spec: {workloadSources: {enableMultiArchBootImageImport: true, dataImportCronTemplates: ["+dict("fedora-image-cron", "fedora", "")+"]}}")
	table := hyperconverged.OpenShift().WithImages(func(t hyperconverged.Template) arch.Set {
		if t.Name() == "rhel8-image-cron" {
			return arch.NewSet(arch.AMD64)
		}
		return nil
	})
	f := Predict(Input{CR: cr, Table: table, Cluster: mixed()})
	if got := names(f.Alerts); got != NoArchitectureAnnotation+" fedora-image-cron" {
		t.Errorf("only the template of another registry has no declared architectures: got %q", got)
	}
	from := map[string]hyperconverged.Origin{}
	crons := map[string]int{}
	for _, template := range f.Templates {
		from[template.Name] = template.KnownFrom
	}
	for _, c := range f.Crons {
		if c.KnownFrom != from[c.Template] {
			t.Errorf("cron %s: known from %q, its template from %q", c.Name, c.KnownFrom, from[c.Template])
		}
		crons[c.Template]++
	}
	for _, tc := range []struct {
		reason, template string
		from             hyperconverged.Origin
		crons            int
	}{
		{"documented", "rhel9-image-cron", hyperconverged.Documentation, 2},
		{"a person states what the image has", "rhel8-image-cron", hyperconverged.Configuration, 1},
		{"the CR's own registry", "fedora-image-cron", "", 1},
	} {
		if from[tc.template] != tc.from || crons[tc.template] != tc.crons {
			t.Errorf("%s: known from %q with %d crons, want %q with %d", tc.reason, from[tc.template], crons[tc.template], tc.from, tc.crons)
		}
	}
}

func TestCaveats(t *testing.T) {
	t.Parallel()
	none := nodes(nil, nil)
	for _, tc := range []struct {
		reason string
		in     Input
		want   []string // a part of each
	}{
		{"always", Input{CR: on(t, ""), Cluster: mixed()}, []string{"never resets"}},
		{
			"a patch of the SSP CR",
			Input{CR: crOf(t, "v1", "metadata: {name: kubevirt-hyperconverged, annotations: {ssp.kubevirt.io/jsonpatch: "+
				"'[{\"op\":\"remove\",\"path\":\"/spec/cluster\"}]'}}"), Cluster: mixed()},
			[]string{"(remove /spec/cluster): nothing is known", "never resets"},
		},
		{
			"a patch of something else",
			Input{CR: crOf(t, "v1", "metadata: {name: kubevirt-hyperconverged, annotations: {ssp.kubevirt.io/jsonpatch: '[]'}}"), Cluster: mixed()},
			[]string{"never resets"},
		},
		{"a schedule by lot", Input{CR: crOf(t, "v1", ""), Table: hyperconverged.Upstream(), Cluster: mixed()}, []string{"never resets", "random schedule"}},
		{"the schedule is known", Input{CR: crOf(t, "v1", ""), Table: hyperconverged.Upstream(), Cluster: mixed(), Schedule: "1 2 * * *"}, []string{"never resets"}},
		{"no nodes", Input{CR: crOf(t, "v1", ""), Cluster: none}, []string{"never resets", "here amd64"}},
		{"no nodes, and the gate on: SSP refuses", Input{CR: on(t, ""), Cluster: none}, []string{"never resets", "objects stay"}},
		{"an older release", Input{CR: crOf(t, "v1beta1", ""), Cluster: mixed(), Release: release(t, "1.17")}, []string{"never resets", "can differ"}},
		{"before there were gauges", Input{CR: crOf(t, "v1beta1", ""), Cluster: mixed(), Release: release(t, "1.15")}, []string{"can differ"}},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			got := Predict(tc.in).Caveats
			if len(got) != len(tc.want) {
				t.Fatalf("want %d caveats, got %q", len(tc.want), got)
			}
			for i, part := range tc.want {
				if !strings.Contains(got[i], part) {
					t.Errorf("caveat %d: want %q in %q", i, part, got[i])
				}
			}
		})
	}
}
