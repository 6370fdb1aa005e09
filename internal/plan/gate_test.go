package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/transformers"
)

const (
	v1      = hyperconverged.V1
	v1beta1 = hyperconverged.V1beta1
)

// in returns what a CR says of the gate: by its field, and in its list.
func in(field, list string) hyperconverged.Gate {
	var gate hyperconverged.Gate
	if field != "" {
		on := field == "true"
		gate.Field = &on
	}
	if list != "" {
		gate.List = &hyperconverged.FeatureGate{Name: hyperconverged.GateName, State: &list}
	}
	return gate
}

// TestGatePlace: every version and release has one place, or an error.
func TestGatePlace(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		version hyperconverged.Version
		release string
		place   transformers.GatePlace
		found   string
	}{
		{v1beta1, "", transformers.GateV1beta1, ""},
		{v1beta1, "1.15", "", "error GA410"},
		{v1beta1, "1.16", transformers.GateV1beta1, ""},
		{v1beta1, "1.17", transformers.GateV1beta1, ""},
		{v1beta1, "1.18", transformers.GateV1beta1, ""},
		{v1beta1, "4.23", transformers.GateV1beta1, ""},
		{v1beta1, "1.20", transformers.GateV1beta1, ""},
		{v1, "", "", "error GA409"},
		{v1, "1.15", "", "error GA418, error GA410"},
		{v1, "1.17", transformers.GateList, "error GA418"},
		{v1, "1.18", transformers.GateList, ""},
		{v1, "4.22", transformers.GateList, ""},
		{v1, "1.19", transformers.GateField, ""},
		{v1, "4.24", transformers.GateField, ""},
	} {
		for _, wanted := range []v1alpha1.Gate{v1alpha1.GateAuto, v1alpha1.GateEnable, v1alpha1.GateDisable} {
			s := subject()
			s.CR.Version, s.Spec.Release, s.Spec.Gate, s.CR.Gate = tc.version, released(tc.release), wanted, hyperconverged.Gate{}
			got, found := decideGate(s)
			found = withoutID(found, finding.GateOn)
			var want *transformers.Gate
			if tc.place != "" {
				want = &transformers.Gate{On: wanted != v1alpha1.GateDisable, Place: tc.place}
			}
			if diff := cmp.Diff(want, got.edit); diff != "" {
				t.Errorf("%s of release %q, gate %s (-want +got):\n%s", tc.version, tc.release, wanted, diff)
			}
			if ids(found) != tc.found || got.on != (wanted != v1alpha1.GateDisable) {
				t.Errorf("%s of release %q, gate %s: on is %v, want findings %q, got %q", tc.version, tc.release, wanted, got.on, tc.found, found)
			}
		}
	}
}

// TestGateWanted: when the gate is written at all.
func TestGateWanted(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason   string
		gate     v1alpha1.Gate
		platform v1alpha1.Platform
		workload string
		on, edit bool
	}{
		{"Auto turns it on for two architectures", v1alpha1.GateAuto, v1alpha1.OpenShift, "amd64,arm64", true, true},
		{"Auto leaves it with one", v1alpha1.GateAuto, v1alpha1.OpenShift, "arm64", false, false},
		{"Auto is Keep on plain Kubernetes", v1alpha1.GateAuto, v1alpha1.Kubernetes, "amd64,arm64", false, false},
		{"Enable is for one architecture as well", v1alpha1.GateEnable, v1alpha1.OpenShift, "amd64", true, true},
		{"Enable is for Kubernetes as well", v1alpha1.GateEnable, v1alpha1.Kubernetes, "amd64", true, true},
		{"Disable writes an explicit false", v1alpha1.GateDisable, v1alpha1.OpenShift, "amd64,arm64", false, true},
		{"Keep leaves it", v1alpha1.GateKeep, v1alpha1.OpenShift, "amd64,arm64", false, false},
	} {
		s := subject()
		s.Spec.Gate, s.Spec.Platform, s.Cluster.Workload, s.CR.Gate = tc.gate, tc.platform, set(tc.workload), hyperconverged.Gate{}
		got, found := decideGate(s)
		reported := ids(found) == "warning GA416"
		if got.on != tc.on || (got.edit != nil) != tc.edit || reported != tc.on || !reported && len(found) > 0 {
			t.Errorf("%s: on %v, edit %v, findings %q", tc.reason, got.on, got.edit, found)
		}
	}
}

// TestGateWritten: a gate that is there already is not written again; one that
// is duplicated, or where the release does not look, is.
func TestGateWritten(t *testing.T) {
	t.Parallel()
	misspelt := hyperconverged.Gate{List: &hyperconverged.FeatureGate{Name: "EnableMultiArchBootImageImport"}}
	noState := hyperconverged.Gate{List: &hyperconverged.FeatureGate{Name: hyperconverged.GateName}}
	for _, tc := range []struct {
		reason  string
		version hyperconverged.Version
		release string
		gate    hyperconverged.Gate
		edit    bool
		found   string
	}{
		{"the bool is true", v1beta1, "1.18", in("true", ""), false, ""},
		{"the field is true", v1, "1.19", in("true", ""), false, ""},
		{"the feature gate alone is deprecated", v1, "1.19", in("", "Enabled"), true, ""},
		{"field and feature gate would fight", v1, "1.19", in("true", "Enabled"), true, ""},
		{"1.18 has the list", v1, "1.18", in("", "Enabled"), false, ""},
		{"an entry without a state is on", v1, "1.18", noState, false, ""},
		{"1.18 compares the name with case", v1, "1.18", misspelt, true, "warning GA416"},
		{"1.18 prunes the field", v1, "1.18", in("true", "Enabled"), true, ""},
	} {
		s := subject()
		s.CR.Version, s.Spec.Release, s.CR.Gate = tc.version, released(tc.release), tc.gate
		got, found := decideGate(s)
		if (got.edit != nil) != tc.edit || !got.on || ids(found) != tc.found {
			t.Errorf("%s: edit %v, on %v, findings %q", tc.reason, got.edit, got.on, found)
		}
	}
}

// TestGateKept: what HCO makes of a gate that is left as it is, and what its
// webhook refuses of it.
func TestGateKept(t *testing.T) {
	t.Parallel()
	kept := true
	for _, tc := range []struct {
		reason  string
		version hyperconverged.Version
		release string
		gate    hyperconverged.Gate
		on      bool
		found   string
	}{
		{"nothing said is off", v1, "1.19", in("", ""), false, ""},
		{"nothing said is off in v1beta1", v1beta1, "", in("", ""), false, ""},
		{"the field counts", v1, "1.19", in("true", ""), true, ""},
		{"the feature gate counts where the field is absent, if HCO can move it", v1, "1.19", in("", "Enabled"), true, "error GA415"},
		{"the newest release is meant where none is declared", v1, "", in("", "Enabled"), true, ""},
		{"they contradict each other", v1, "1.20", in("false", "Enabled"), false, "error GA408"},
		{"they agree", v1, "1.19", in("true", "Enabled"), true, ""},
		{"1.18 knows no field", v1, "1.18", in("true", ""), false, ""},
		{"1.18 does not contradict", v1, "1.18", in("false", "Enabled"), true, ""},
		{"a conversion keeps it beside a v1beta1 object", v1beta1, "1.19", hyperconverged.Gate{Kept: &kept}, true, ""},
		{"before the gate there is none", v1beta1, "1.15", in("true", ""), false, ""},
		{"before v1 there is no conversion", v1beta1, "1.17", hyperconverged.Gate{Kept: &kept}, false, ""},
	} {
		s := subject()
		s.Spec.Gate, s.CR.Version, s.Spec.Release, s.CR.Gate = v1alpha1.GateKeep, tc.version, released(tc.release), tc.gate
		got, found := decideGate(s)
		if got.edit != nil || got.on != tc.on || ids(found) != tc.found {
			t.Errorf("%s: edit %v, on %v, want findings %q, got %q", tc.reason, got.edit, got.on, tc.found, found)
		}
	}
	s := subject()
	s.Spec.Gate, s.CR.Version, s.Spec.Release, s.CR.Gate, s.CR.HasWorkloadSources = v1alpha1.GateKeep, v1, released("1.19"), in("", "Enabled"), true
	if _, found := decideGate(s); found.Failed() {
		t.Errorf("with spec.workloadSources there HCO's patch applies: %s", found)
	}
}

// TestNothingIsDecidedWithoutNodes: package cluster has told why.
func TestNothingIsDecidedWithoutNodes(t *testing.T) {
	t.Parallel()
	s := subject(entry("app", fromURL(appURL), nil))
	s.Cluster.Workload = arch.Set{}
	if questions := Questions(s); len(questions) > 0 {
		t.Errorf("nothing is asked for: %v", questions)
	}
	p, found := decide(t, s, has("amd64"))
	if len(p.Templates) > 0 || p.Gate != nil || found.Count(finding.Error) > 0 {
		t.Errorf("nothing is decided on half-knowledge: %v, %s", p, found)
	}
}
