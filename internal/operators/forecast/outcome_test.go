package forecast

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// shortOutcome is a template's outcome in one line.
func shortOutcome(t TemplateOutcome) string {
	claim, effective := "-", "-"
	if t.Claim != nil {
		claim = *t.Claim
	}
	if t.EffectiveClaim != nil {
		effective = *t.EffectiveClaim
	}
	architectures := "nil"
	if t.Architectures != nil {
		architectures = fmt.Sprint(t.Architectures)
	}
	return fmt.Sprintf("%d %s %s/%s %s→%s %s %q", t.Index, t.Name, t.Class, t.Outcome, claim, effective, architectures, t.DefaultArchitecture)
}

func TestTemplateOutcomes(t *testing.T) {
	t.Parallel()
	const table = "\n-1 centos-stream10-image-cron predefined/deployed amd64,arm64,s390x→amd64,arm64 [amd64 arm64] \"amd64\"" +
		"\n-1 centos-stream9-image-cron predefined/deployed amd64,arm64,s390x→amd64,arm64 [amd64 arm64] \"amd64\"" +
		"\n-1 fedora-image-cron predefined/deployed arm64,s390x,amd64→arm64,amd64 [amd64 arm64] \"amd64\""
	noImport := "\n-1 centos-stream10-image-cron predefined/dropped -→- nil \"\"\n-1 centos-stream9-image-cron predefined/dropped -→- nil \"\""
	gate := func(more, templates string) *hyperconverged.CR {
		return crOf(t, "v1", "spec: {workloadSources: {enableMultiArchBootImageImport: true"+more+", dataImportCronTemplates: ["+templates+"]}}")
	}
	for _, tc := range []struct {
		reason  string
		cr      *hyperconverged.CR
		cluster cluster.Architectures
		want    string
	}{
		{"the table alone", gate("", ""), mixed(), table},
		{
			reason:  "custom ones: with a claim, with nothing left, without a claim",
			cr:      gate("", dict("a", "a", claims("arm64"))+","+dict("b", "b", claims("s390x"))+","+dict("c", "c", "")),
			cluster: mixed(),
			want:    "\n0 a custom/deployed arm64→arm64 [arm64] \"arm64\"\n1 b custom/notDeployed s390x→- nil \"\"\n2 c custom/deployed -→- [] \"\"" + table,
		},
		{
			reason:  "a control plane of arm64 is the default only where the claim has it",
			cr:      gate(", enableCommonBootImageImport: false", dict("a", "a", claims("amd64"))+","+dict("b", "b", claims("amd64,arm64"))),
			cluster: nodes(arch.NewSet(arch.ARM64), arch.NewSet(arch.AMD64, arch.ARM64)),
			want: "\n0 a custom/deployed amd64→amd64 [amd64] \"amd64\"\n1 b custom/deployed amd64,arm64→amd64,arm64 [amd64 arm64] \"arm64\"" +
				noImport + "\n-1 fedora-image-cron predefined/dropped -→- nil \"\"",
		},
		{
			"of the bundle, whatever the claim", gate(", enableCommonBootImageImport: false", dict("a", "fedora", claims("amd64"))),
			nodes(arch.NewSet(arch.ARM64), arch.NewSet(arch.AMD64, arch.ARM64)),
			"\n0 a custom/deployed amd64→amd64 [amd64] \"arm64\"" + noImport + "\n-1 fedora-image-cron predefined/dropped -→- nil \"\"",
		},
		{
			reason: "customised, and disabled",
			cr: gate("",
				dict("fedora-image-cron", "fedora", claims("arm64"))+
					", {metadata: {name: centos-stream9-image-cron, annotations: {dataimportcrontemplate.kubevirt.io/enable: 'false'}}}"),
			cluster: mixed(),
			want: "\n0 fedora-image-cron customized/deployed arm64→arm64 [arm64] \"amd64\"\n1 centos-stream9-image-cron disabled/disabled -→- nil \"\"" +
				strings.SplitAfter(table, "\"amd64\"")[0],
		},
		{
			"dropped: the common import is off", gate(", enableCommonBootImageImport: false", dict("fedora-image-cron", "fedora", claims("arm64"))), mixed(),
			"\n0 fedora-image-cron dropped/dropped -→- nil \"\"" + noImport,
		},
		{
			reason: "the gate is off: the claim is in status, SSP does not get it",
			cr: crOf(t, "v1",
				"spec: {workloadSources: {enableCommonBootImageImport: false, dataImportCronTemplates: ["+dict("fedora-image-cron-2", "fedora", claims("s390x"))+"]}}"),
			cluster: mixed(),
			want:    "\n0 fedora-image-cron-2 custom/deployed s390x→- [] \"\"" + noImport + "\n-1 fedora-image-cron predefined/dropped -→- nil \"\"",
		},
		{
			reason:  "SSP refuses: nothing is expanded",
			cr:      gate(", enableCommonBootImageImport: false", dict("a", "a", claims("amd64"))),
			cluster: nodes(arch.NewSet(arch.PPC64LE), arch.NewSet(arch.AMD64)),
			want:    "\n0 a custom/refused amd64→amd64 nil \"\"" + noImport + "\n-1 fedora-image-cron predefined/dropped -→- nil \"\"",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			f := Predict(Input{CR: tc.cr, Table: hyperconverged.Upstream(), Cluster: tc.cluster})
			got := ""
			for _, one := range f.Templates {
				got += "\n" + shortOutcome(one)
				if one.Why == "" {
					t.Errorf("template %s: no reason is told", one.Name)
				}
			}
			if got != tc.want {
				t.Errorf("want %s\ngot %s", tc.want, got)
			}
		})
	}
}

func TestCronOutcomes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 58)
	for _, tc := range []struct{ reason, templates, want, blocked string }{
		{"one for each architecture", dict("c", "x", claims("amd64,arm64")), "c-amd64 created, c-arm64 created", ""},
		{"no claim: one", dict("c", "x", ""), "c created", ""},
		{"no claim, of the bundle: one, for the default architecture's DataSource", dict("c", "fedora", ""), "c created", ""},
		{
			reason:    "two with one DataSource: the last by name wins where both have an architecture",
			templates: dict("a", "x", claims("amd64,arm64")) + "," + dict("b", "x", claims("amd64")),
			want:      "a-amd64 overwritten, a-arm64 created, b-amd64 created",
		},
		{
			"the reference of one takes the cron of the other, whatever the order", dict("z", "x", claims("amd64")) + "," + dict("b", "x", ""),
			"b removed, z-amd64 created", "",
		},
		{
			reason:    "and that of a template named as another's DataSource for an architecture",
			templates: dict("a", "x", claims("amd64,arm64")) + "," + dict("b", "x-arm64", claims("amd64")),
			want:      "a-amd64 created, a-arm64 removed, b-amd64 created",
		},
		{
			"a name that is too long stops all", dict(long, "x", claims("amd64")) + "," + dict("c", "other", claims("amd64")),
			long + "-amd64 refused, c-amd64 created", "kubevirt-os-images/" + long + "-amd64",
		},
		{
			reason:    "without a DataSource CDI refuses",
			templates: "{metadata: {name: c}, spec: {managedDataSource: '', schedule: '', template: {spec: {source: {http: {url: 'http://a'}}}}}}",
			want:      "c refused",
			blocked:   "kubevirt-os-images/c",
		},
		{"and with a claim SSP fails before", dict("c", "''", claims("amd64")), "", ""},
		{"a namespace of its own", dict("c", "x", ", namespace: mine"+claims("amd64")), "c-amd64 created", ""},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			f := Predict(Input{CR: on(t, tc.templates), Cluster: mixed()})
			if got := outcomes(f.Crons); got != tc.want {
				t.Errorf("want %s, got %s", tc.want, got)
			}
			blocked := ""
			if f.Blocked != nil {
				blocked = strings.Join(f.Blocked.Crons, ", ")
			}
			if blocked != tc.blocked || (f.Blocked != nil) != (tc.blocked != "" || f.SSPError != "") {
				t.Errorf("blocked: want %q, got %+v", tc.blocked, f.Blocked)
			}
			for _, c := range f.Crons {
				if (c.Why == "") != (c.Outcome == Created) {
					t.Errorf("what is not created has a reason: %+v", c)
				}
			}
		})
	}
}

// TestReferences is what stands behind a DataSource without an architecture.
func TestReferences(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 58)
	armWorkers := nodes(arch.NewSet(arch.AMD64), arch.NewSet(arch.ARM64))
	for _, tc := range []struct {
		reason, templates string
		cluster           cluster.Architectures
		existing, want    string
	}{
		{"a cron fills it", dict("c", "x", claims("amd64,arm64")), mixed(), "", "x→x-amd64 amd64 cron true"},
		{"a custom one takes an architecture of its claim", dict("c", "x", claims("arm64")), armWorkers, "", "x→x-arm64 arm64 cron true"},
		{
			reason:    "one of the bundle takes the control plane's, which no cron fills",
			templates: dict("c", "fedora", claims("amd64,arm64")),
			cluster:   armWorkers,
			want:      "fedora→fedora-amd64 amd64 pvc false",
		},
		{
			"unless somebody's PVC is there", dict("c", "fedora", claims("amd64,arm64")), armWorkers,
			"{kind: PersistentVolumeClaim, metadata: {name: fedora-amd64, namespace: kubevirt-os-images}}", "fedora→fedora-amd64 amd64 pvc true",
		},
		{"no claim: no reference, but of the bundle", dict("c", "x", "") + "," + dict("d", "fedora", ""), mixed(), "", "fedora→fedora-amd64 amd64 cron true"},
		{"CDI refuses the cron", dict(long, "x", claims("amd64")), mixed(), "", "x→x-amd64 amd64 refusedCron false"},
		{"the crons are in a namespace of their own", dict("c", "x", ", namespace: mine"+claims("amd64")), mixed(), "", "x→x-amd64 amd64 crossNamespace false"},
		{"which CDI refuses there", dict(long, "x", ", namespace: mine"+claims("amd64")), mixed(), "", "x→x-amd64 amd64 dangling false"},
		{"the same of the bundle", dict("c", "fedora", ", namespace: mine"+claims("amd64")), mixed(), "", "fedora→fedora-amd64 amd64 pvc false"},
		{
			"another's reference took the cron", dict("a", "x", claims("amd64,arm64")) + "," + dict("b", "x-amd64", claims("arm64")), mixed(), "",
			"x→x-amd64 amd64 reference false, x-amd64→x-amd64-arm64 arm64 cron true",
		},
		{"a withheld template of the bundle has one", dict("c", "win10", claims("s390x")), mixed(), "", "win10→win10-amd64 amd64 pvc false"},
		{
			"a DataSource that no cron may fill", dict("c", "x", claims("amd64")), mixed(), existing("x-amd64", "", "spec: {source: {}}"),
			"x→x-amd64 amd64 unmanaged false",
		},
		{
			"which is ready", dict("c", "x", claims("amd64")), mixed(), existing("x-amd64", "", "status: {conditions: [{type: Ready, status: 'True'}]}"),
			"x→x-amd64 amd64 unmanaged true",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			f := Predict(Input{CR: on(t, tc.templates), Cluster: tc.cluster, Existing: readExisting(t, tc.existing)})
			var list []string
			for _, r := range f.References {
				list = append(list, fmt.Sprintf("%s→%s %s %s %v", r.Name, r.Target, r.DefaultArchitecture, r.State, r.Filled))
				if r.Why == "" || r.Namespace != "kubevirt-os-images" {
					t.Errorf("no reason, or not in SSP's namespace: %+v", r)
				}
			}
			if got := strings.Join(list, ", "); got != tc.want {
				t.Errorf("want %s, got %s", tc.want, got)
			}
		})
	}
}
