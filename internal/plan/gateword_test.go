package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/transformers"
)

func withoutID(found finding.List, id finding.ID) finding.List {
	return slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID == id })
}

// gateOf says what a decision makes of the gate.
func gateOf(d gateDecision) string {
	var out []string
	if d.edit != nil {
		out = append(out, map[bool]string{true: "on", false: "off"}[d.edit.On]+" in "+string(d.edit.Place))
	}
	if d.record != nil {
		out = append(out, "record "+*d.record)
	}
	if d.enableRecord != nil {
		out = append(out, "was "+*d.enableRecord)
	}
	if d.on {
		out = append(out, "is on")
	}
	return strings.Join(out, ", ")
}

// TestTurningTheGateOnIsReported: always, and as a warning where the feature is a
// preview on that release, or may be.
func TestTurningTheGateOnIsReported(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason             string
		release, namespace string
		version            hyperconverged.Version
		gate               hyperconverged.Gate
		want, words        string
	}{
		{
			reason:    "OpenShift 4.20",
			release:   "4.20",
			namespace: "openshift-cnv",
			version:   v1beta1,
			gate:      in("", ""),
			want:      "warning GA416",
			words:     "a Technology Preview, not recommended in production, in OpenShift Virtualization 4.20",
		},
		{"OpenShift 4.21, by HCO's number", "1.17", "openshift-cnv", v1beta1, in("", ""), "warning GA416", "in OpenShift Virtualization 4.21"},
		{"OpenShift 4.22 is contested", "4.22", "openshift-cnv", v1, in("", ""), "warning GA416", "For OpenShift Virtualization 4.22 sources disagree"},
		{"OpenShift 5.0", "5.0", "openshift-cnv", v1, in("", ""), "info GA416", "because workload nodes have amd64,arm64"},
		{"OpenShift 4.23", "4.23", "openshift-cnv", v1, in("", ""), "info GA416", ""},
		{
			reason:    "OpenShift without a release",
			namespace: "openshift-cnv",
			version:   v1beta1,
			gate:      in("", ""),
			want:      "warning GA416",
			words:     `up to 4.21. Declare the release, for example spec.release: "4.22"`,
		},
		{"upstream 1.16", "1.16", "kubevirt-hyperconverged", v1beta1, in("", ""), "warning GA416", "a developer preview (alpha) in HCO 1.16"},
		{"upstream 1.18 still calls it alpha", "1.18", "kubevirt-hyperconverged", v1, in("", ""), "warning GA416", "in HCO 1.18"},
		{"upstream 1.19 has a field for it", "1.19", "kubevirt-hyperconverged", v1, in("", ""), "info GA416", ""},
		{"no namespace, and a release of HCO, is upstream", "1.18", "", v1beta1, in("", ""), "warning GA416", "in HCO 1.18"},
		{"a CNV release is one of OpenShift Virtualization", "4.22", "", v1beta1, in("", ""), "warning GA416", ""},
		{"it is on already", "1.17", "openshift-cnv", v1beta1, in("true", ""), "", ""},
		{"it is on already in 4.22, which is contested", "4.22", "openshift-cnv", v1beta1, in("true", ""), "info GA871", "sources disagree"},
		{"it moves, but was on", "1.19", "openshift-cnv", v1, in("", "Enabled"), "", ""},
		{"it was where the release does not look", "1.18", "openshift-cnv", v1, in("true", ""), "warning GA416", ""},
	} {
		for _, wanted := range []v1alpha1.Gate{v1alpha1.GateAuto, v1alpha1.GateEnable} {
			s := subject()
			s.CR.Version, s.CR.Namespace, s.CR.Gate, s.Spec.Release, s.Spec.Gate = tc.version, tc.namespace, tc.gate, released(tc.release), wanted
			got, found := decideGate(s)
			if ids(found) != tc.want || !got.on {
				t.Errorf("%s, gate %s: on %v, want %q, got %s", tc.reason, wanted, got.on, tc.want, found)
			}
			if wanted == v1alpha1.GateAuto && !strings.Contains(found.String(), tc.words) {
				t.Errorf("%s: want %q in\n%s", tc.reason, tc.words, found)
			}
		}
	}
}

// TestAPersonsFalse: what becomes of a gate that is off, in each place, by whose
// word it is off.
func TestAPersonsFalse(t *testing.T) {
	t.Parallel()
	for _, home := range []struct {
		version hyperconverged.Version
		release string
		off     hyperconverged.Gate
		place   transformers.GatePlace
	}{
		{v1beta1, "1.16", in("false", ""), transformers.GateV1beta1},
		{v1beta1, "1.19", in("false", ""), transformers.GateV1beta1},
		{v1, "1.18", in("", "Disabled"), transformers.GateList},
		{v1, "1.19", in("false", ""), transformers.GateField},
		{v1, "1.20", in("false", ""), transformers.GateField},
	} {
		for _, tc := range []struct {
			reason string
			gate   v1alpha1.Gate
			dump   bool
			record string
			one    bool // one workload architecture
			want   string
			found  string
		}{
			{reason: "a person's, under Auto", gate: v1alpha1.GateAuto, found: ""},
			{reason: "a person's, where one architecture needs no gate", gate: v1alpha1.GateAuto, one: true},
			{reason: "a person's, under Keep", gate: v1alpha1.GateKeep},
			{reason: "a person's, under Enable", gate: v1alpha1.GateEnable, want: "on in PLACE, was disabled, is on", found: "GA416"},
			{reason: "a person's, under Disable: it stays a person's", gate: v1alpha1.GateDisable},
			{reason: "a dump's, under Auto", gate: v1alpha1.GateAuto, dump: true, want: "on in PLACE, was disabled, is on", found: "GA416"},
			{reason: "a dump's, under Keep", gate: v1alpha1.GateKeep, dump: true},
			{reason: "a dump's, under Disable", gate: v1alpha1.GateDisable, dump: true},
			{reason: "ours, under Disable", gate: v1alpha1.GateDisable, record: hyperconverged.GateWasUnset},
			{reason: "ours, under Auto", gate: v1alpha1.GateAuto, record: hyperconverged.GateWasUnset, want: "on in PLACE, record , was unset, is on", found: "GA416"},
			{
				reason: "ours, under Auto with one architecture",
				gate:   v1alpha1.GateAuto,
				one:    true,
				record: hyperconverged.GateWasUnset,
				want:   "off in nowhere, record ",
				found:  "info GA432",
			},
			{reason: "ours, under Keep", gate: v1alpha1.GateKeep, record: hyperconverged.GateWasUnset, want: "off in nowhere, record ", found: "info GA432"},
			{reason: "ours, and on before, under Keep", gate: v1alpha1.GateKeep, record: hyperconverged.GateWasOn, want: "on in PLACE, record , is on", found: "GA416"},
			{reason: "ours, under Enable", gate: v1alpha1.GateEnable, record: hyperconverged.GateWasOn, want: "on in PLACE, record , is on", found: "GA416"},
			{reason: "a record that goldenarch does not write is nobody's", gate: v1alpha1.GateAuto, record: "x", found: ""},
		} {
			s := subject()
			s.CR.Version, s.CR.Gate, s.CR.Dump, s.Spec.Release, s.Spec.Gate = home.version, home.off, tc.dump, released(home.release), tc.gate
			s.CR.HasWorkloadSources = true
			if tc.record != "" {
				s.CR.Annotations = map[string]string{hyperconverged.GateRecord: tc.record}
			}
			if tc.one {
				s.Cluster.Workload = set("amd64")
			}
			got, found := decideGate(s)
			want := strings.Replace(tc.want, "PLACE", string(home.place), 1)
			if diff := cmp.Diff(want, gateOf(got)); diff != "" {
				t.Errorf("%s of %s, %s (-want +got):\n%s", home.version, home.release, tc.reason, diff)
			}
			if reported := ids(found); !strings.HasSuffix(reported, tc.found) || (tc.found == "") != (reported == "") {
				t.Errorf("%s of %s, %s: want %q, got %s", home.version, home.release, tc.reason, tc.found, found)
			}
		}
	}
}

// TestWhatDisableRecords: what was there before goldenarch turned the gate off.
func TestWhatDisableRecords(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason  string
		version hyperconverged.Version
		release string
		gate    hyperconverged.Gate
		record  string
		want    string
	}{
		{"nothing", v1beta1, "1.17", in("", ""), "", "off in v1beta1 feature gate bool, record unset"},
		{"true", v1beta1, "1.17", in("true", ""), "", "off in v1beta1 feature gate bool, record enabled"},
		{"a feature gate", v1, "1.19", in("", "Enabled"), "", "off in v1 field, record enabled"},
		{"a person turned it on again after that", v1beta1, "1.17", in("true", ""), hyperconverged.GateWasUnset, "off in v1beta1 feature gate bool, record enabled"},
		{"a person removed it after that", v1beta1, "1.17", in("", ""), hyperconverged.GateWasOn, "off in v1beta1 feature gate bool, record unset"},
		{"the place moves with the release", v1, "1.19", in("", "Disabled"), hyperconverged.GateWasUnset, "off in v1 field"},
		{"a person's place moves too, without a record", v1, "1.19", in("", "Disabled"), "", "off in v1 field"},
	} {
		s := subject()
		s.CR.Version, s.CR.Gate, s.Spec.Release, s.Spec.Gate = tc.version, tc.gate, released(tc.release), v1alpha1.GateDisable
		if tc.record != "" {
			s.CR.Annotations = map[string]string{hyperconverged.GateRecord: tc.record}
		}
		got, found := decideGate(s)
		if diff := cmp.Diff(tc.want, gateOf(got)); diff != "" || len(found) > 0 {
			t.Errorf("%s: %s (-want +got):\n%s", tc.reason, found, diff)
		}
	}
	s := subject()
	s.CR.Annotations = map[string]string{hyperconverged.GateRecord: hyperconverged.GateWasOn}
	if got, _ := decideGate(s); gateOf(got) != "record , is on" {
		t.Errorf("a person turned it on: the record goes, got %q", gateOf(got))
	}
}

// TestWhatEnableRecords: what was there before goldenarch turned the gate on, and nothing
// about a gate that a person turned on.
func TestWhatEnableRecords(t *testing.T) {
	t.Parallel()
	const place, onAgain = "v1beta1 feature gate bool", "on in v1beta1 feature gate bool, record , "
	for _, tc := range []struct {
		reason         string
		gate           v1alpha1.Gate
		cr             hyperconverged.Gate
		record, before string // before goldenarch turned it on, and off
		one            bool
		want           string
	}{
		{reason: "nothing", gate: v1alpha1.GateAuto, want: "on in " + place + ", was unset, is on"},
		{reason: "a person's false", gate: v1alpha1.GateEnable, cr: in("false", ""), want: "on in " + place + ", was disabled, is on"},
		{reason: "a person's true gets no record", gate: v1alpha1.GateAuto, cr: in("true", ""), want: "is on"},
		{reason: "ours stays ours", gate: v1alpha1.GateAuto, cr: in("true", ""), record: "unset", want: "is on"},
		{reason: "ours, with one architecture", gate: v1alpha1.GateAuto, one: true, cr: in("true", ""), record: "unset", want: "is on"},
		{reason: "ours, under Keep", gate: v1alpha1.GateKeep, cr: in("true", ""), record: "disabled", want: "is on"},
		{reason: "a person turned it off after that", gate: v1alpha1.GateKeep, cr: in("false", ""), record: "unset", want: "was "},
		{reason: "a person turned it off after that, under Auto", gate: v1alpha1.GateAuto, cr: in("false", ""), record: "unset", want: "was "},
		{reason: "a person removed it after that", gate: v1alpha1.GateAuto, record: "disabled", want: "on in " + place + ", was unset, is on"},
		{reason: "a record that goldenarch does not write", gate: v1alpha1.GateAuto, cr: in("true", ""), record: "x", want: "is on"},
		{reason: "ours, then Disable", gate: v1alpha1.GateDisable, cr: in("true", ""), record: "unset", want: "off in " + place + ", record unset, was "},
		{reason: "ours over a person's false, then Disable", gate: v1alpha1.GateDisable, cr: in("true", ""), record: "disabled", want: "off in " + place + ", was "},
		{reason: "turned off by Disable, from unset", gate: v1alpha1.GateAuto, cr: in("false", ""), before: "unset", want: onAgain + "was unset, is on"},
		{reason: "turned off by Disable, from a person's true", gate: v1alpha1.GateAuto, cr: in("false", ""), before: "enabled", want: onAgain + "is on"},
	} {
		s := subject()
		s.CR.Version, s.CR.Gate, s.Spec.Release, s.Spec.Gate = v1beta1, tc.cr, released("1.19"), tc.gate
		s.CR.Annotations = map[string]string{}
		for key, value := range map[string]string{hyperconverged.EnableRecord: tc.record, hyperconverged.GateRecord: tc.before} {
			if value != "" {
				s.CR.Annotations[key] = value
			}
		}
		if tc.one {
			s.Cluster.Workload = set("amd64")
		}
		got, _ := decideGate(s)
		if diff := cmp.Diff(tc.want, gateOf(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestLiveGate: a person's false that would turn off what the cluster has on is an
// error, until the configuration says which of them is meant.
func TestLiveGate(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		gate v1alpha1.Gate
		cr   hyperconverged.Gate
		want string
	}{
		{v1alpha1.GateAuto, in("false", ""), "error GA431"},
		{v1alpha1.GateKeep, in("false", ""), "error GA431"},
		{v1alpha1.GateEnable, in("false", ""), "info GA416"},
		{v1alpha1.GateDisable, in("false", ""), ""},
		{v1alpha1.GateAuto, in("true", ""), ""},
		{v1alpha1.GateKeep, in("", ""), ""},
	} {
		s := subject()
		s.LiveGateOn, s.Spec.Gate, s.Spec.Release, s.CR.Gate = true, tc.gate, released("1.19"), tc.cr
		if _, found := decideGate(s); ids(found) != tc.want {
			t.Errorf("gate %s: want %q, got %s", tc.gate, tc.want, found)
		}
	}
}
