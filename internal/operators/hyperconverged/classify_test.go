package hyperconverged

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// registrySpec is a spec whose registry source is this, in YAML.
func registrySpec(registry string) string {
	return `{managedDataSource: d, schedule: "", template: {spec: {source: {registry: ` + registry + `}}}}`
}

const fedora = `url: "docker://quay.io/containerdisks/fedora:latest"`

// TestClassify: what HCO takes an entry for, whether it counts its registry
// source as modified, and whose claim it then takes.
func TestClassify(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason            string
		template          string
		noImport          bool
		class             Class
		modified, ignores bool
	}{
		{"a name of its own", named("app", goodSpec), false, ClassCustom, false, false},
		{"the same source", named("fedora-image-cron", fedoraSpec), false, ClassCustomized, false, true},
		{"another source", named("fedora-image-cron", goodSpec), false, ClassCustomized, true, false},
		{"a pull method alone", named("fedora-image-cron", registrySpec("{"+fedora+", pullMethod: node}")), false, ClassCustomized, true, false},
		{"a secret alone", named("fedora-image-cron", registrySpec("{"+fedora+", secretRef: a}")), false, ClassCustomized, true, false},
		{"certificates alone", named("fedora-image-cron", registrySpec("{"+fedora+", certConfigMap: a}")), false, ClassCustomized, true, false},
		{"a platform alone", named("fedora-image-cron", registrySpec("{"+fedora+", platform: {architecture: amd64}}")), false, ClassCustomized, true, false},
		{"an empty platform is one", named("fedora-image-cron", registrySpec("{"+fedora+", platform: {}}")), false, ClassCustomized, true, false},
		{"null is nothing", named("fedora-image-cron", registrySpec("{"+fedora+", pullMethod: null}")), false, ClassCustomized, false, true},
		{
			reason:   "the same image said otherwise",
			template: named("fedora-image-cron", registrySpec(`{url: "docker://quay.io/containerdisks/fedora"}`)),
			class:    ClassCustomized,
			modified: true,
		},
		{
			reason:   "another kind of source does not count",
			template: named("fedora-image-cron", `{managedDataSource: d, schedule: "", template: {spec: {source: {http: {url: a}}}}}`),
			class:    ClassCustomized,
			ignores:  true,
		},
		{"names are compared with case", named("Fedora-image-cron", fedoraSpec), false, ClassCustom, false, false},
		{"switched off", named("fedora-image-cron", "null", off), false, ClassDisabled, false, false},
		{"anything but true is off", named("app", goodSpec, `dataimportcrontemplate.kubevirt.io/enable: " true"`), false, ClassDisabled, false, false},
		{"dropped", named("fedora-image-cron", fedoraSpec), true, ClassDropped, false, false},
		{"switched off is not dropped", named("fedora-image-cron", fedoraSpec, off), true, ClassDisabled, false, false},
		{"a custom one is not dropped", named("app", goodSpec), true, ClassCustom, false, false},
	} {
		cr := mustParse(t, tc.template)
		cr.CommonImport = !tc.noImport
		got := Classify(cr, Upstream())[0]
		if got.Class != tc.class || got.RegistryModified != tc.modified || got.IgnoresClaim() != tc.ignores {
			t.Errorf("%s: want %s, modified %v, ignores the claim %v; got %s, %v, %v", tc.reason,
				tc.class, tc.modified, tc.ignores, got.Class, got.RegistryModified, got.IgnoresClaim())
		}
	}
}

// TestClassifyTheTable: what is not in the CR comes after it, unless HCO
// imports no predefined templates.
func TestClassifyTheTable(t *testing.T) {
	t.Parallel()
	cr := mustParse(t, named("app", goodSpec)+", "+named("fedora-image-cron", "null", off))
	var got []string
	for _, c := range Classify(cr, Upstream()) {
		got = append(got, fmt.Sprintf("%d %s %s", c.Index, c.Name(), c.Class))
	}
	want := []string{"0 app custom", "1 fedora-image-cron disabled", "-1 centos-stream10-image-cron predefined", "-1 centos-stream9-image-cron predefined"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	cr.CommonImport = false
	if n := len(Classify(cr, Upstream())); n != 2 {
		t.Errorf("without common import there are the CR's only, got %d", n)
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		table     Table
		templates int
		known     bool
	}{
		"upstream": {Upstream(), 3, true}, "openshift": {OpenShift(), 6, false}, "none": {None(), 0, true},
	} {
		if tc.table.Name != name || len(tc.table.Templates) != tc.templates {
			t.Errorf("table %q: want %d templates, got %q with %d", name, tc.templates, tc.table.Name, len(tc.table.Templates))
		}
		for _, p := range tc.table.Templates {
			_, has := p.Declared()
			if p.ClaimKnown != tc.known || !has || p.Registry() == nil || p.ManagedDataSource() == "" || p.Index != -1 {
				t.Errorf("table %q: template %q is not what is known of it", name, p.Name())
			}
			if found, ok := tc.table.Find(p.Name()); !ok || found.Name() != p.Name() {
				t.Errorf("table %q: template %q is not found", name, p.Name())
			}
		}
		if _, ok := tc.table.Find(""); ok {
			t.Errorf("table %q: no template is without a name", name)
		}
	}
	p, _ := Upstream().Find("fedora-image-cron")
	if claim, _ := p.Declared(); claim != "arm64,s390x,amd64" {
		t.Errorf("HCO's own order is kept, got %q", claim)
	}
}

// TestBuiltInClaim: unknown is not the same as none.
func TestBuiltInClaim(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, name string
		table        Table
		claim        string
		has, known   bool
	}{
		{"a custom one has none", "app", Upstream(), "", false, true},
		{"upstream is exact", "fedora-image-cron", Upstream(), "arm64,s390x,amd64", true, true},
		{"OpenShift's is documented: no decision rests on it", "fedora-image-cron", OpenShift(), "amd64,arm64,s390x", true, false},
	} {
		c := Classify(mustParse(t, named(tc.name, fedoraSpec)), tc.table)[0]
		if claim, has, known := c.BuiltInClaim(); claim != tc.claim || has != tc.has || known != tc.known {
			t.Errorf("%s: got %q, %v, %v", tc.reason, claim, has, known)
		}
	}
}

// TestObservedCustomized: of a predefined template that only a customized entry of the live CR shows,
// the registry source is known only if HCO used the built-in architectures.
func TestObservedCustomized(t *testing.T) {
	t.Parallel()
	const spec = `{"managedDataSource":"d","schedule":"","template":{"spec":{"source":{"registry":{"url":"docker://quay.io/acme/app:1"}}}}}`
	for _, tc := range []struct {
		reason            string
		declares          string // in the live CR
		status            string // the annotation there, as JSON
		original          string
		modified, ignores bool
		from              Origin
	}{
		{reason: "HCO drops the architectures of another image", status: `{}`, modified: true, from: Documentation},
		{
			reason: "HCO uses those of the CR, or the same of its own", declares: "amd64",
			status: `{"ssp.kubevirt.io/dict.architectures":"amd64"}`, original: "amd64", modified: true, from: Documentation,
		},
		{
			reason: "HCO uses its own, so the source is its own", declares: "arm64",
			status: `{"ssp.kubevirt.io/dict.architectures":"amd64"}`, original: "amd64", ignores: true, from: LiveCR,
		},
		{
			reason: "with the gate off HCO compares no source", status: `{"ssp.kubevirt.io/dict.architectures":"amd64"}`,
			modified: true, from: LiveCR,
		},
	} {
		notes := "{}"
		if tc.declares != "" {
			notes = `{"ssp.kubevirt.io/dict.architectures":"` + tc.declares + `"}`
		}
		live, found := ParseLive([]byte(`{"apiVersion":"hco.kubevirt.io/v1beta1","metadata":{"name":"kubevirt-hyperconverged"},
			"spec":{"dataImportCronTemplates":[{"metadata":{"name":"new-cron","annotations":` + notes + `},"spec":` + spec + `}]},
			"status":{"dataImportCronTemplates":[{"metadata":{"name":"new-cron","annotations":` + tc.status + `},"spec":` + spec + `,
				"status":{"commonTemplate":true,"modified":true,"originalSupportedArchitectures":"` + tc.original + `"}}]}}`))
		if live == nil {
			t.Fatal(found)
		}
		table := Upstream().Observed(live, releaseOf(t, "1.19"))
		c := Classify(mustParse(t, named("new-cron", goodSpec)), table)[0]
		if c.Class != ClassCustomized || c.RegistryModified != tc.modified || c.IgnoresClaim() != tc.ignores {
			t.Errorf("%s: want modified %v, ignores the claim %v; got %s, %v, %v", tc.reason, tc.modified, tc.ignores, c.Class, c.RegistryModified, c.IgnoresClaim())
		}
		if alone := Classify(mustParse(t, ""), table)[0]; alone.KnownFrom() != tc.from {
			t.Errorf("%s: want a predefined template known from %q, got %q", tc.reason, tc.from, alone.KnownFrom())
		}
	}
}
