package forecast

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestNamesThatKubernetesDoesNotAllow: the API server refuses an object by its metadata before
// CDI's webhook sees it. SSP creates the DataSources first, and stops at the first refusal.
func TestNamesThatKubernetesDoesNotAllow(t *testing.T) {
	t.Parallel()
	const ok = "; good-amd64 created"
	good := dict("good", "good", claims("amd64"))
	for _, tc := range []struct {
		reason, template string
		off              bool // the gate
		// want are the outcomes of the crons; says and blocked are texts of what stops SSP.
		want, says, blocked string
	}{
		{
			reason: "a template", template: dict("A_b", "a", claims("amd64")), want: "A_b-amd64 refused" + ok,
			blocked: "The API server refuses the DataImportCron kubevirt-os-images/A_b-amd64. SSP stops there",
		},
		{
			reason: "a blank at the end", template: dict("'a '", "a", claims("amd64")), want: "a -amd64 refused" + ok,
			blocked: "The API server refuses the DataImportCron kubevirt-os-images/a -amd64. SSP stops there",
		},
		{reason: "the architecture makes up for a dash", template: dict("a-", "a", claims("amd64")), want: "a--amd64 created" + ok},
		{reason: "where there is one", template: dict("a-", "a", ""), want: "a- refused" + ok, blocked: "refuses the DataImportCron kubevirt-os-images/a-"},
		{
			reason: "the API server answers before CDI", template: dict("A"+strings.Repeat("n", 63), "a", ""),
			want: "A" + strings.Repeat("n", 63) + " refused" + ok, blocked: "The API server refuses",
		},
		{
			reason: "a DataSource: SSP creates no cron", template: dict("a", "A_b", claims("amd64")),
			says:    `object kubevirt-os-images/A_b: failed creating object: DataSource.cdi.kubevirt.io "A_b" is invalid: metadata.name: Invalid value: "A_b"`,
			blocked: `the managedDataSource "A_b" of a template is not a valid name`,
		},
		{
			reason: "the name of a cron in a label of a DataSource of the bundle", template: dict("'a '", "fedora", ""),
			says:    `object kubevirt-os-images/fedora-amd64: failed creating object: DataSource.cdi.kubevirt.io "fedora-amd64" is invalid: metadata.labels: Invalid value: "a "`,
			blocked: `"a " is not a valid value of a label: SSP fails to make it`,
		},
		{
			reason: "with the gate off, too", off: true, template: dict(strings.Repeat("n", 64), "fedora", ""),
			says: `DataSource.cdi.kubevirt.io "fedora" is invalid: metadata.labels`, blocked: "is not a valid value of a label",
		},
		{
			reason: "the first of two", template: dict(strings.Repeat("n", 60), "fedora", claims("amd64,arm64")),
			says: `object kubevirt-os-images/fedora-amd64: `, blocked: `DataSource "fedora-amd64" has the name of its DataImportCron`,
		},
		{
			reason: "one of the bundle comes before another one", template: dict("'a '", "rhel9", "") + ", " + dict("b", "A_b", claims("amd64")),
			says: `object kubevirt-os-images/rhel9-amd64: `, blocked: "is not a valid value of a label",
		},
		{
			reason: "a valid name in the label", template: dict("a-", "fedora", claims("amd64")), want: "a--amd64 created" + ok,
		},
		{
			reason: "with the gate off CDI makes it, and nothing stops SSP", off: true, template: dict("a", "A_b", ""),
			want: "a importFails; good created",
		},
		{
			reason: "a namespace", template: dict("a", "a", ", namespace: A_b"), want: "a refused" + ok,
			blocked: "The API server refuses the DataImportCron A_b/a.",
		},
		{
			reason: "a DataSource whose name does not fit in a label", template: dict("a", strings.Repeat("n", 64), claims("amd64")),
			want: "a-amd64 refused" + ok, blocked: "The API server refuses the DataImportCron kubevirt-os-images/a-amd64",
		},
		{
			reason: "a name that is too long for CDI", template: dict(strings.Repeat("n", 64), "a", ""),
			want: "good-amd64 created; " + strings.Repeat("n", 64) + " refused", blocked: "CDI refuses the DataImportCron",
		},
		{
			reason: "a name that is too long for a CronJob", template: dict(strings.Repeat("n", 38), "a", claims("amd64")),
			want: "good-amd64 created; " + strings.Repeat("n", 38) + "-amd64 importFails",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			cr := on(t, tc.template+", "+good)
			if tc.off {
				cr.Gate = hyperconverged.Gate{}
			}
			f := Predict(Input{CR: cr, Cluster: mixed()})
			var crons []string
			for _, c := range f.Crons {
				crons = append(crons, fmt.Sprintf("%s %s", c.Name, c.Outcome))
			}
			if got := strings.Join(crons, "; "); got != tc.want {
				t.Errorf("want %q, got %q", tc.want, got)
			}
			if !strings.Contains(f.SSPError, tc.says) || (f.SSPError == "") != (tc.says == "") {
				t.Errorf("want %q, got %q", tc.says, f.SSPError)
			}
			blocked := ""
			if f.Blocked != nil {
				blocked = f.Blocked.String()
			}
			if !strings.Contains(blocked, tc.blocked) || (blocked == "") != (tc.blocked == "") {
				t.Errorf("want %q, got %q", tc.blocked, blocked)
			}
		})
	}
}

// TestFieldsThatSSPDoesNotKnow: SSP reads a template with the types of an older CDI than HCO's.
func TestFieldsThatSSPDoesNotKnow(t *testing.T) {
	t.Parallel()
	text := strings.Replace(dict("a", "a", claims("amd64")), "{source:", "{serviceAccountName: disk, source:", 1)
	text = strings.Replace(text, "managedDataSource: a,", "managedDataSource: a, serviceAccountName: cron,", 1)
	cr := crOf(t, "v1beta1", "spec: {featureGates: {enableMultiArchBootImageImport: true}, dataImportCronTemplates: ["+text+"]}")
	for release, want := range map[string]string{"1.17": "", "1.18": "cron", "": "cron"} {
		parsed, err := v1alpha1.ParseRelease(release)
		if err != nil {
			t.Fatal(err)
		}
		f := Predict(Input{CR: cr, Cluster: mixed(), Release: parsed, Table: hyperconverged.None()})
		for _, o := range f.SSPTemplates {
			if o.Text("spec", "serviceAccountName") != "cron" || o.Text("spec", "template", "spec", "serviceAccountName") != "disk" {
				t.Errorf("release %q: HCO passes on both: %v", release, o)
			}
		}
		for _, o := range f.DataImportCrons {
			if got := o.Text("spec", "serviceAccountName"); got != want || o.Text("spec", "template", "spec", "serviceAccountName") != "" {
				t.Errorf("release %q: want the account %q of the cron and none of its DataVolume, got %v", release, want, o)
			}
		}
		if len(f.SSPTemplates) != 1 || len(f.DataImportCrons) != 1 {
			t.Errorf("release %q: want a template and a cron, got %v and %v", release, f.SSPTemplates, f.DataImportCrons)
		}
	}
}
