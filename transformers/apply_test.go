package transformers

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
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
	ours, theirs, gone := &plan.Claim{Value: "amd64", Mark: true}, &plan.Claim{Value: "amd64"}, &plan.Claim{}
	for _, tc := range []struct {
		reason   string
		before   string
		decision plan.Decision
		want     string
	}{
		{"a claim and its mark", template(), plan.Decision{Claim: ours}, template(claim+"amd64", mark+"amd64")},
		{"a claim keeps its quotes and comment", template(claim + `"arm64" # checked`), plan.Decision{Claim: ours}, template(claim+`"amd64" # checked`, mark+"amd64")},
		{"a person's claim has no mark", template(claim+"arm64", mark+"arm64"), plan.Decision{Claim: theirs}, template(claim + "amd64")},
		{"a claim goes, and the annotations if nothing is left", template(claim+"arm64", mark+"arm64"), plan.Decision{Claim: gone}, template()},
		{"other annotations stay", template("a: b", claim+"arm64"), plan.Decision{Claim: gone}, template("a: b")},
		{"nothing decided, nothing changed", template(claim+"' arm64'", mark+"x"), plan.Decision{}, template(claim+"' arm64'", mark+"x")},
		{"off, with the reason beside it", template(claim + "arm64"), plan.Decision{Switch: plan.Disable, Because: hyperconverged.NoSupportedArchitecture}, template(claim+"arm64", enable+`"false"`, reason)},
		{"off where it was said to be on", template(enable + `'true' # always`), plan.Decision{Switch: plan.Disable, Because: hyperconverged.NoSupportedArchitecture}, template(enable+`'false' # always`, reason)},
		{"off, once more", template(enable+`"false"`, reason), plan.Decision{Switch: plan.Disable, Because: hyperconverged.NoSupportedArchitecture}, template(enable+`"false"`, reason)},
		{
			"off for another reason", template(enable+`"false"`, reason),
			plan.Decision{Switch: plan.Disable, Because: hyperconverged.TakenOver},
			template(enable+`"false"`, "goldenarch.dev/disabled-because: taken-over"),
		},
		{"on again", template("a: b", enable+`"false"`, reason), plan.Decision{Switch: plan.Enable}, template("a: b")},
		{"on again with the claim that made it so", template(enable+`"false"`, reason), plan.Decision{Switch: plan.Enable, Claim: ours}, template(claim+"amd64", mark+"amd64")},
	} {
		p := plan.Plan{Templates: []plan.Decision{tc.decision}}
		got := edited(t, tc.before, func(n *yaml.RNode) { apply(t, n, p) })
		if diff := cmp.Diff(normal(t, tc.want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

func apply(t *testing.T, n *yaml.RNode, p plan.Plan) {
	t.Helper()
	if err := Apply(n, hyperconverged.V1beta1, p); err != nil {
		t.Fatal(err)
	}
}

// TestApplyToTheList: entries are added at the end and taken out by their place
// before.
func TestApplyToTheList(t *testing.T) {
	t.Parallel()
	stub := func(name string) string {
		return lines("  - metadata:", "      name: "+name, "      annotations:", "        "+bind+`"true"`, "        "+enable+`"false"`, "        "+reason)
	}
	added := func(names ...string) []plan.Decision {
		var list []plan.Decision
		for _, name := range names {
			list = append(list, plan.Decision{Index: -1, Name: name, Switch: plan.Disable, Because: hyperconverged.NoSupportedArchitecture})
		}
		return list
	}
	removed := []plan.Decision{{Index: 2, Switch: plan.Remove}, {Index: 0, Switch: plan.Remove}}
	list := "spec:\n  dataImportCronTemplates:\n"
	for _, tc := range []struct {
		reason    string
		before    string
		decisions []plan.Decision
		want      string
	}{
		{"a list is made", "spec: {}\n", added("a", "b"), list + stub("a") + stub("b")},
		{"null is filled", list, added("a"), list + stub("a")},
		{"an entry goes to the end", template(), added("a"), template() + stub("a")},
		{"entries go by the place they had", list + stub("a") + stub("b") + stub("c"), removed, list + stub("b")},
		{"the list goes if nothing is left", list + stub("a") + "  a: b\n", []plan.Decision{{Switch: plan.Remove}}, "spec:\n  a: b\n"},
		{"one goes and one comes", list + stub("a"), append(added("b"), plan.Decision{Switch: plan.Remove}), list + stub("b")},
	} {
		node := read(t, tc.before)
		apply(t, node, plan.Plan{Templates: tc.decisions})
		if diff := cmp.Diff(normal(t, tc.want), text(t, node)); diff != "" {
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
		defaults plan.Defaults
		want     string
	}{
		{"none", template(), plan.Defaults{}, template()},
		{"before 1.18", template(), plan.Defaults{Bind: true}, template(bind + `"true"`)},
		{"from 1.18 on", template(), plan.Defaults{Bind: true, Retention: true}, template(bind+`"true"`) + lines("      retentionPolicy: None", "      importsToKeep: 1")},
		{"what is said stays", said, plan.Defaults{Bind: true, Retention: true}, said},
		{"an entry without a spec gets none", "spec: {dataImportCronTemplates: [{metadata: {name: a}}]}\n", plan.Defaults{Bind: true, Retention: true}, "spec: {dataImportCronTemplates: [{metadata: {name: a, annotations: {" + bind + `"true"}}}]}` + "\n"},
	} {
		got := edited(t, tc.before, func(n *yaml.RNode) { apply(t, n, plan.Plan{Defaults: tc.defaults}) })
		if diff := cmp.Diff(compact(t, tc.want), compact(t, got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

func TestApplyRefusesAnotherPlan(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"spec: {}\n", template()} {
		err := Apply(read(t, before), hyperconverged.V1beta1, plan.Plan{Templates: []plan.Decision{{Index: 1}}})
		if err == nil || !strings.Contains(err.Error(), "dataImportCronTemplates[1]") {
			t.Errorf("a plan for another CR is refused, got %v", err)
		}
	}
}
