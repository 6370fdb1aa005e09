package plan

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestCoverage: an image that has no such architecture, and declared architectures
// that omit it, are two things.
func TestCoverage(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason   string
		notes    map[string]string
		image    string
		workload string
		allow    []string
		want     string
		words    string
	}{
		{"all covered", nil, "amd64,arm64", "amd64,arm64", nil, "", ""},
		{"the image has more than the cluster", nil, "amd64,arm64,s390x", "amd64,arm64", nil, "", ""},
		{"the image lacks one", nil, "amd64", "amd64,arm64", nil, "info GA125", "the image has no arm64, which workload nodes have (the image has amd64)"},
		{"a person omits one", claimed("amd64"), "amd64,arm64", "amd64,arm64", nil, "info GA126", "the declared architectures omit arm64, which the image has"},
		{"both", claimed("amd64"), "amd64,arm64", "amd64,arm64,s390x", nil, "info GA125, info GA126", "omit arm64"},
		{"allow bars one", nil, "amd64,arm64", "amd64,arm64", []string{"amd64"}, "info GA126", "Add arm64 to spec.allow"},
		{"one that fits no node is reported as such", nil, "s390x", "amd64,arm64", nil, "", ""},
		{"one architecture", nil, "amd64,arm64", "amd64", nil, "", ""},
		{"a person disabled it", map[string]string{hyperconverged.EnableAnnotation: "false"}, "amd64", "amd64,arm64", nil, "", ""},
	} {
		s := subject(entry("app", fromURL(appURL), tc.notes))
		s.Cluster.Workload, s.Spec.Allow = set(tc.workload), tc.allow
		_, found := decide(t, s, has(tc.image))
		var reported finding.List
		for _, f := range found {
			if f.ID == finding.ImageLacks || f.ID == finding.DeclaredOmit {
				reported = append(reported, f)
			}
		}
		if ids(reported) != tc.want || !strings.Contains(reported.String(), tc.words) {
			t.Errorf("%s: want %q with %q, got\n%s", tc.reason, tc.want, tc.words, reported)
		}
	}
}

// TestCoverageOfWhatIsEmitted: what is expanded for each architecture needs no gate.
func TestCoverageOfWhatIsEmitted(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		mode   v1alpha1.ExpandMode
		notes  map[string]string
		image  string
		want   string
	}{
		{"nothing is expanded, and HCO makes nothing", v1alpha1.ExpandNone, nil, "amd64", ""},
		{"the image lacks one", v1alpha1.ExpandEmit, nil, "amd64", "info GA125"},
		{"a person omits one", v1alpha1.ExpandEmit, claimed("amd64"), "amd64,arm64", "info GA126"},
		{"all covered", v1alpha1.ExpandEmit, nil, "amd64,arm64", ""},
	} {
		s := subject(entry("app", fromURL(appURL), tc.notes))
		s.Cluster.Workload, s.Spec.Platform, s.Spec.Gate, s.Spec.Expand.Mode = set("amd64,arm64"), v1alpha1.Kubernetes, v1alpha1.GateDisable, tc.mode
		_, found := decide(t, s, has(tc.image))
		reported := append(onlyID(found, finding.ImageLacks), onlyID(found, finding.DeclaredOmit)...)
		if ids(reported) != tc.want || strings.Contains(reported.String(), "HCO imports") {
			t.Errorf("%s: want %q, got\n%s", tc.reason, tc.want, reported)
		}
	}
}

func onlyID(found finding.List, id finding.ID) finding.List {
	var out finding.List
	for _, f := range found {
		if f.ID == id {
			out = append(out, f)
		}
	}
	return out
}

// withoutCoverage leaves out what is reported of the coverage of images.
func withoutCoverage(found finding.List) finding.List {
	return withoutID(withoutID(found, finding.ImageLacks), finding.DeclaredOmit)
}
