package transformers

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/test/yamlnodetest"
)

// template is a CR with one template that has these annotations.
func template(notes ...string) string {
	rows := []string{"spec:", "  dataImportCronTemplates:", "  - metadata:", "      name: app # the app"}
	if len(notes) > 0 {
		rows = append(rows, "      annotations:")
		for _, note := range notes {
			rows = append(rows, "        "+note)
		}
	}
	return lines(append(rows, "    spec:", "      schedule: \"\"")...)
}

const (
	claim  = "ssp.kubevirt.io/dict.architectures: "
	mark   = "goldenarch.dev/claim: "
	enable = "dataimportcrontemplate.kubevirt.io/enable: "
	reason = "goldenarch.dev/disabled-because: no-supported-architecture"
	bind   = "cdi.kubevirt.io/storage.bind.immediate.requested: "
)

func TestApplyToATemplate(t *testing.T) {
	t.Parallel()
	ours, theirs, gone := &Claim{Value: "amd64", Written: true}, &Claim{Value: "amd64"}, &Claim{}
	for _, tc := range []struct {
		reason   string
		before   string
		decision Template
		want     string
	}{
		{"a claim and its mark", template(), Template{Claim: ours}, template(claim+"amd64", mark+"amd64")},
		{
			"a claim keeps its quotes and comment",
			template(claim + `"arm64" # checked`),
			Template{Claim: ours},
			template(claim+`"amd64" # checked`, mark+"amd64"),
		},
		{"a person's claim has no mark", template(claim+"arm64", mark+"arm64"), Template{Claim: theirs}, template(claim + "amd64")},
		{"a claim goes, and the annotations if nothing is left", template(claim+"arm64", mark+"arm64"), Template{Claim: gone}, template()},
		{"other annotations stay", template("a: b", claim+"arm64", mark+"arm64"), Template{Claim: gone}, template("a: b")},
		{"what a person declared goes", template(claim + "s390x"), Template{Claim: gone}, template()},
		{"a person declared nothing", template(claim + `""`), Template{Claim: ours}, template(claim+`"amd64"`, mark+"amd64")},
		{"nothing decided, nothing changed", template(claim+"' arm64'", mark+"x"), Template{}, template(claim+"' arm64'", mark+"x")},
		{
			reason:   "off, with the reason beside it",
			before:   template(claim + "arm64"),
			decision: Template{Switch: Disable, Because: hyperconverged.NoSupportedArchitecture},
			want:     template(claim+"arm64", enable+`"false"`, reason),
		},
		{
			reason:   "off where it was said to be on",
			before:   template(enable + `'true' # always`),
			decision: Template{Switch: Disable, Because: hyperconverged.NoSupportedArchitecture},
			want:     template(enable+`'false' # always`, reason),
		},
		{
			reason:   "off, where a person turned it on since",
			before:   template(enable+`"true"`, reason),
			decision: Template{Switch: Disable, Because: hyperconverged.NoSupportedArchitecture},
			want:     template(enable+`"false"`, reason),
		},
		{
			reason:   "off, once more",
			before:   template(enable+`"false"`, reason),
			decision: Template{Switch: Disable, Because: hyperconverged.NoSupportedArchitecture},
			want:     template(enable+`"false"`, reason),
		},
		{
			"off for another reason", template(enable+`"false"`, reason),
			Template{Switch: Disable, Because: hyperconverged.DisabledByExpansion},
			template(enable+`"false"`, "goldenarch.dev/disabled-because: taken-over"),
		},
		{"on again", template("a: b", enable+`"false"`, reason), Template{Switch: Enable}, template("a: b")},
		{"on again with the claim that made it so", template(enable+`"false"`, reason), Template{Switch: Enable, Claim: ours}, template(claim+"amd64", mark+"amd64")},
	} {
		p := Edits{Templates: []Template{tc.decision}}
		got := yamlnodetest.Edited(t, tc.before, func(n *yaml.RNode) { apply(t, n, p) })
		if diff := cmp.Diff(normal(t, tc.want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

func apply(t *testing.T, n *yaml.RNode, p Edits) {
	t.Helper()
	if err := Apply(n, string(hyperconverged.V1beta1), p); err != nil {
		t.Fatal(err)
	}
}

// TestApplyDropsRetired: the annotations that nothing reads any more go, and a mapping that had
// no other. Those beside them stay.
func TestApplyDropsRetired(t *testing.T) {
	t.Parallel()
	head := func(notes ...string) string {
		if len(notes) == 0 {
			return "metadata:\n  name: hco\n"
		}
		return "metadata:\n  name: hco\n  annotations:\n    " + strings.Join(notes, "\n    ") + "\n"
	}
	enabled, unset := "goldenarch.dev/gate-before-disable: enabled", "goldenarch.dev/gate-before-enable: unset # once"
	for _, tc := range []struct{ reason, before, want string }{
		{
			"all five", head(enabled, unset, "goldenarch.dev/spec-before: missing") +
				template(`goldenarch.dev/claim-changed: amd64 from "arm64"`, `goldenarch.dev/enable-before: "true"`),
			head() + template(),
		},
		{
			"what is beside them stays", head("a: b", unset) + template(claim+"amd64", mark+"amd64", `goldenarch.dev/enable-before: "true"`),
			head("a: b") + template(claim+"amd64", mark+"amd64"),
		},
		{"none", head("a: b") + template(claim+"amd64"), head("a: b") + template(claim+"amd64")},
	} {
		got := yamlnodetest.Edited(t, tc.before, func(n *yaml.RNode) { apply(t, n, Edits{DropRetired: true}) })
		if diff := cmp.Diff(normal(t, tc.want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestApplyToTheList: entries are added at the end and taken out by their place
// before.
func TestApplyToTheList(t *testing.T) {
	t.Parallel()
	stub := func(name string) string {
		return lines("  - metadata:", "      name: "+name, "      annotations:", "        "+bind+`"true"`, "        "+enable+`"false"`, "        "+reason)
	}
	added := func(names ...string) []Template {
		var list []Template
		for _, name := range names {
			list = append(list, Template{Index: -1, Name: name, Switch: Disable, Because: hyperconverged.NoSupportedArchitecture})
		}
		return list
	}
	removed := []Template{{Index: 2, Switch: Remove}, {Index: 0, Switch: Remove}}
	list := "spec:\n  dataImportCronTemplates:\n"
	for _, tc := range []struct {
		reason    string
		before    string
		decisions []Template
		want      string
	}{
		{"a list is made", "spec: {}\n", added("a", "b"), list + stub("a") + stub("b")},
		{"null is filled", list, added("a"), list + stub("a")},
		{"an entry goes to the end", template(), added("a"), template() + stub("a")},
		{"entries go by the place they had", list + stub("a") + stub("b") + stub("c"), removed, list + stub("b")},
		{"the list goes if nothing is left", list + stub("a") + "  a: b\n", []Template{{Switch: Remove}}, "spec:\n  a: b\n"},
		{"one goes and one comes", list + stub("a"), append(added("b"), Template{Switch: Remove}), list + stub("b")},
	} {
		node := yamlnodetest.Read(t, tc.before)
		apply(t, node, Edits{Templates: tc.decisions})
		if diff := cmp.Diff(normal(t, tc.want), yamlnodetest.Text(t, node)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestApplyDefaults: what HCO's webhook adds, to every entry, and only where
// nothing is said.
func TestApplyDefaults(t *testing.T) {
	t.Parallel()
	said := strings.Replace(template(bind+`"false"`), `schedule: ""`, "importsToKeep: 3\n      retentionPolicy: All", 1)
	for _, tc := range []struct {
		reason   string
		before   string
		defaults Defaults
		want     string
	}{
		{"none", template(), Defaults{}, template()},
		{"before 1.18", template(), Defaults{Bind: true}, template(bind + `"true"`)},
		{"from 1.18 on", template(), Defaults{Bind: true, Retention: true}, template(bind+`"true"`) + lines("      retentionPolicy: None", "      importsToKeep: 1")},
		{"what is said stays", said, Defaults{Bind: true, Retention: true}, said},
		{
			"HCO's empty objects, where the template is one", "spec: {dataImportCronTemplates: [{spec: {template: {spec: {}}}}]}\n",
			Defaults{Bind: true},
			"spec: {dataImportCronTemplates: [{spec: {template: {spec: {}, metadata: {}, status: {}}}, metadata: {annotations: {" + bind + `"true"}}}]}` + "\n",
		},
		{
			"metadata that somebody wrote stays", "spec: {dataImportCronTemplates: [{spec: {template: {metadata: {labels: {a: b}}, status: {}}}}]}\n",
			Defaults{Bind: true},
			"spec: {dataImportCronTemplates: [{spec: {template: {metadata: {labels: {a: b}}, status: {}}}, metadata: {annotations: {" + bind + `"true"}}}]}` + "\n",
		},
		{
			reason:   "an entry without a spec gets none",
			before:   "spec: {dataImportCronTemplates: [{metadata: {name: a}}]}\n",
			defaults: Defaults{Bind: true, Retention: true},
			want:     "spec: {dataImportCronTemplates: [{metadata: {name: a, annotations: {" + bind + `"true"}}}]}` + "\n",
		},
	} {
		got := yamlnodetest.Edited(t, tc.before, func(n *yaml.RNode) { apply(t, n, Edits{Defaults: tc.defaults}) })
		if diff := cmp.Diff(compact(t, tc.want), compact(t, got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

func TestApplyRefusesAnotherPlan(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"spec: {}\n", template()} {
		err := Apply(yamlnodetest.Read(t, before), string(hyperconverged.V1beta1), Edits{Templates: []Template{{Index: 1}}})
		if err == nil || !strings.Contains(err.Error(), "dataImportCronTemplates[1]") {
			t.Errorf("a plan for another CR is refused, got %v", err)
		}
	}
}

// TestApplyToAnotherVersion: a version that goldenarch does not know is an error, and
// not a panic in somebody else's program.
func TestApplyToAnotherVersion(t *testing.T) {
	t.Parallel()
	if err := Apply(yamlnodetest.Read(t, template()), "v2", Edits{SingleArchitecture: "amd64"}); err == nil || !strings.Contains(err.Error(), "v2") {
		t.Errorf("want an error that names v2, got %v", err)
	}
}
