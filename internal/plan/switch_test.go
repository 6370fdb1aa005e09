package plan

import (
	"testing"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/transformers"
)

// TestSwitch: a template that no workload node can use is disabled, and
// enabled again when one can. The CR is the one that a run decides, so what
// goldenarch disabled is on.
func TestSwitch(t *testing.T) {
	t.Parallel()
	mark := func(claim ...string) map[string]string {
		notes := map[string]string{hyperconverged.DisabledAnnotation: hyperconverged.NoSupportedArchitecture}
		for _, c := range claim {
			notes[hyperconverged.ClaimAnnotation], notes[hyperconverged.WrittenAnnotation] = c, c
		}
		return notes
	}
	for _, tc := range []struct {
		reason string
		notes  map[string]string
		policy v1alpha1.Unsupported
		proven string
		want   transformers.Switch
		found  string
	}{
		{"a node can use it", nil, v1alpha1.UnsupportedDisable, "arm64,s390x", transformers.Leave, ""},
		{"none can", nil, v1alpha1.UnsupportedDisable, "s390x", transformers.Disable, "warning GA109"},
		{"none can, and that is an error", nil, v1alpha1.UnsupportedFail, "s390x", transformers.Leave, "error GA111"},
		{"none can, and it stays", nil, v1alpha1.UnsupportedKeep, "s390x", transformers.Leave, "warning GA111"},
		{"one can again", mark("s390x"), v1alpha1.UnsupportedDisable, "amd64", transformers.Enable, "info GA110"},
		{"still none can", mark("s390x"), v1alpha1.UnsupportedDisable, "s390x", transformers.Disable, "info GA109"},
		{"still none can, but now it is to stay on", mark("s390x"), v1alpha1.UnsupportedKeep, "s390x", transformers.Enable, "warning GA111"},
		{"the image has nothing for Linux", nil, v1alpha1.UnsupportedDisable, "", transformers.Disable, "warning GA109"},
		{"a person claims what no node has, and the image more", claimed("s390x"), v1alpha1.UnsupportedDisable, "amd64,s390x", transformers.Leave, "warning GA116"},
		{"a person enabled it", enabled("true"), v1alpha1.UnsupportedDisable, "s390x", transformers.Leave, "warning GA111"},
		{"a person enabled it in capitals", enabled("TRUE"), v1alpha1.UnsupportedDisable, "s390x", transformers.Leave, "warning GA111"},
		{"a person enabled it, and that is an error", enabled("true"), v1alpha1.UnsupportedFail, "s390x", transformers.Leave, "error GA111"},
	} {
		s := subject(entry("app", fromURL(appURL), tc.notes))
		s.Spec.Unsupported = tc.policy
		p, found := decide(t, s, has(tc.proven))
		if got := switchOf(p); got != tc.want || ids(withoutCoverage(found)) != tc.found {
			t.Errorf("%s: want %q with %q, got %q with %q", tc.reason, tc.want, tc.found, got, found)
		}
	}
}

func switchOf(p Plan) transformers.Switch {
	if len(p.Templates) == 0 {
		return transformers.Leave
	}
	return p.Templates[0].Switch
}

// TestExplicitlyEnabledIsAnError: a person's word keeps a template on, and a check is red because of
// it. A run that writes goes on.
func TestExplicitlyEnabledIsAnError(t *testing.T) {
	t.Parallel()
	for _, gate := range []v1alpha1.Gate{v1alpha1.GateEnable, v1alpha1.GateDisable} {
		s := subject(entry("app", fromURL(appURL), enabled("true")))
		s.Spec.Gate = gate
		_, found := decide(t, s, has("s390x"))
		if found.Failed() || !found.Unchanged().Failed() {
			t.Errorf("gate %s: want a warning, and an error in a check, got %s", gate, found)
		}
	}
}

// enabled is annotations in which a person enables a template.
func enabled(value string) map[string]string {
	return map[string]string{hyperconverged.EnableAnnotation: value}
}

// TestSwitchByTheBuiltInClaim: with the gate on, HCO goes by the built-in claim
// of an unmodified predefined template.
func TestSwitchByTheBuiltInClaim(t *testing.T) {
	t.Parallel()
	node := cdiv1.RegistryPullNode
	pulled := fromURL(fedoraURL)
	pulled.Registry.PullMethod = &node
	for _, tc := range []struct {
		reason string
		source *cdiv1.DataVolumeSource
		gate   v1alpha1.Gate
		want   transformers.Switch
	}{
		{"the built-in claim has no ppc64le", fromURL(fedoraURL), v1alpha1.GateEnable, transformers.Disable},
		{"a pull method makes it another registry source", pulled, v1alpha1.GateEnable, transformers.Leave},
		{"with the gate off there is no claim", fromURL(fedoraURL), v1alpha1.GateDisable, transformers.Leave},
	} {
		s := subject(entry("fedora-image-cron", tc.source, nil))
		s.Cluster.Workload, s.Spec.Gate = set("ppc64le"), tc.gate
		p, found := decide(t, s, has("amd64,ppc64le"))
		if got := switchOf(p); got != tc.want {
			t.Errorf("%s: want %q, got %q (%s)", tc.reason, tc.want, got, found)
		}
	}
}

// TestOtherSource: a predefined name with a source that is no registry keeps
// the built-in claim, true or not.
func TestOtherSource(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		name   string
		table  hyperconverged.Table
		gate   v1alpha1.Gate
		stated string
		found  string
	}{
		{"the built-in claim is true for these nodes", "fedora-image-cron", hyperconverged.Upstream(), v1alpha1.GateAuto, "amd64,arm64", "warning GA108"},
		{"it is not: the image would be imported for arm64", "fedora-image-cron", hyperconverged.Upstream(), v1alpha1.GateAuto, "amd64", "error GA108"},
		{"it is not known", "rhel9-image-cron", hyperconverged.OpenShift(), v1alpha1.GateAuto, "amd64", "warning GA108, info GA114"},
		{"with the gate off there is no claim", "fedora-image-cron", hyperconverged.Upstream(), v1alpha1.GateDisable, "amd64", ""},
		{"a name of its own", "app", hyperconverged.Upstream(), v1alpha1.GateAuto, "amd64", ""},
	} {
		s := subject(entry(tc.name, fromHTTP(), claimed(tc.stated)))
		s.Table, s.Spec.Gate = tc.table, tc.gate
		_, found := decide(t, s, Answer{})
		if ids(withoutCoverage(found)) != tc.found {
			t.Errorf("%s: want %q, got %s", tc.reason, tc.found, found)
		}
	}
}
