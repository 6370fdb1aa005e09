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

// TestAPersonsFalse: what becomes of a gate that is off, in each place. An explicit false of the
// files is a person's, also where spec.gate: Disable wrote it.
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
			one    bool // one workload architecture
			want   string
			found  string
		}{
			{reason: "a person's, under Auto", gate: v1alpha1.GateAuto, found: ""},
			{reason: "a person's, where one architecture needs no gate", gate: v1alpha1.GateAuto, one: true},
			{reason: "a person's, under Keep", gate: v1alpha1.GateKeep},
			{reason: "a person's, under Enable", gate: v1alpha1.GateEnable, want: "on in PLACE, is on", found: "GA416"},
			{reason: "a person's, under Disable: it stays a person's", gate: v1alpha1.GateDisable},
			{reason: "a dump's, under Auto", gate: v1alpha1.GateAuto, dump: true, want: "on in PLACE, is on", found: "GA416"},
			{reason: "a dump's, under Keep", gate: v1alpha1.GateKeep, dump: true},
			{reason: "a dump's, under Disable", gate: v1alpha1.GateDisable, dump: true},
		} {
			s := subject()
			s.CR.Version, s.CR.Gate, s.CR.Dump, s.Spec.Release, s.Spec.Gate = home.version, home.off, tc.dump, released(home.release), tc.gate
			s.CR.HasWorkloadSources = true
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

// TestDisable: the gate is off in the place that the release reads, and nowhere else.
func TestDisable(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason  string
		version hyperconverged.Version
		release string
		gate    hyperconverged.Gate
		want    string
	}{
		{"nothing", v1beta1, "1.17", in("", ""), "off in v1beta1 feature gate bool"},
		{"true", v1beta1, "1.17", in("true", ""), "off in v1beta1 feature gate bool"},
		{"a feature gate", v1, "1.19", in("", "Enabled"), "off in v1 field"},
		{"the place moves with the release", v1, "1.19", in("", "Disabled"), "off in v1 field"},
	} {
		s := subject()
		s.CR.Version, s.CR.Gate, s.Spec.Release, s.Spec.Gate = tc.version, tc.gate, released(tc.release), v1alpha1.GateDisable
		got, found := decideGate(s)
		if diff := cmp.Diff(tc.want, gateOf(got)); diff != "" || len(found) > 0 {
			t.Errorf("%s: %s (-want +got):\n%s", tc.reason, found, diff)
		}
	}
}
