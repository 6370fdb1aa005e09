package hyperconverged

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

func releaseOf(t *testing.T, s string) v1alpha1.Release {
	t.Helper()
	r, err := v1alpha1.ParseRelease(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestGateAt is where each release looks for the gate (hco branches release-1.16
// to release-1.19).
func TestGateAt(t *testing.T) {
	t.Parallel()
	const (
		field    = "{workloadSources: {enableMultiArchBootImageImport: true}}"
		list     = "{featureGates: [{name: enableMultiArchBootImageImport}]}"
		listOff  = "{featureGates: [{name: enableMultiArchBootImageImport, state: Disabled}]}"
		listCase = "{featureGates: [{name: ENABLEMultiArchBootImageImport}]}"
		flag     = "{featureGates: {enableMultiArchBootImageImport: true}}"
		flagOff  = "{featureGates: {enableMultiArchBootImageImport: false}}"
	)
	for _, tc := range []struct {
		reason  string
		version Version
		spec    string
		want    string // by release: 1.15, 1.16, 1.18, 1.19, undeclared
	}{
		{"nothing is said", V1, "{}", "nil|nil|off|off|off"},
		{"the v1 field", V1, field, "nil|nil|off|on|on"},
		{"the v1 list", V1, list, "nil|nil|on|on|on"},
		{"the v1 list, off", V1, listOff, "nil|nil|off|off|off"},
		{"the v1 list in another case", V1, listCase, "nil|nil|off|on|on"},
		{"the v1beta1 feature gate", V1beta1, flag, "nil|on|on|on|on"},
		{"the v1beta1 feature gate, off", V1beta1, flagOff, "nil|off|off|off|off"},
		{"the v1beta1 feature gate, unset", V1beta1, "{}", "nil|nil|nil|off|off"},
	} {
		cr, found := parseYAML(t, tc.version, tc.spec)
		if cr == nil {
			t.Fatal(found)
		}
		var got []string
		for _, r := range []string{"1.15", "1.16", "1.18", "1.19", ""} {
			release := releaseOf(t, r)
			if !tc.version.Serves(release) {
				got = append(got, "nil") // nobody looks
				continue
			}
			said := "nil"
			if on := cr.GateAt(release); on != nil && *on {
				said = "on"
			} else if on != nil {
				said = "off"
			}
			got = append(got, said)
			if at := cr.At(release); at.Gate.On() != (said == "on") {
				t.Errorf("%s, release %q: At says %v, GateAt %s", tc.reason, r, at.Gate.On(), said)
			}
		}
		if strings.Join(got, "|") != tc.want {
			t.Errorf("%s: want %s, got %v", tc.reason, tc.want, got)
		}
	}
}

// TestTableAt is the upstream table of each release.
func TestTableAt(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		release, names                 string
		claims, bind, defaults, labels bool
	}{
		{"1.6", "centos-7 centos-stream8 centos-stream9 fedora", false, false, false, false},
		{"1.8", "centos-7 centos-stream8 centos-stream9 fedora", false, true, false, false},
		{"1.9", "centos-stream9 fedora", false, true, false, true},
		{"1.12", "centos-stream9 fedora", false, true, false, true},
		{"1.13", "centos-stream10 centos-stream9 fedora", false, true, false, false},
		{"1.15", "centos-stream10 centos-stream9 fedora", false, true, false, false},
		{"1.16", "centos-stream10 centos-stream9 fedora", true, true, false, false},
		{"1.17", "centos-stream10 centos-stream9 fedora", true, true, false, false},
		{"1.18", "centos-stream10 centos-stream9 fedora", true, true, true, false},
		{"", "centos-stream10 centos-stream9 fedora", true, true, true, false},
	} {
		t.Run(tc.release, func(t *testing.T) {
			t.Parallel()
			var names []string
			for _, p := range Upstream().At(releaseOf(t, tc.release)).Templates {
				names = append(names, strings.TrimSuffix(p.Name(), "-image-cron"))
				_, claim := p.Annotation(ClaimAnnotation)
				_, bind := p.Annotation(BindAnnotation)
				if claim != tc.claims || bind != tc.bind || (len(p.Metadata.Labels) > 0) != tc.labels {
					t.Errorf("%s: claim %v, immediate binding %v, labels %v", p.Name(), claim, bind, p.Metadata.Labels)
				}
				if (p.Spec.RetentionPolicy != nil) != tc.defaults || (p.Spec.ImportsToKeep != nil) != tc.defaults {
					t.Errorf("%s: retentionPolicy %v, importsToKeep %v", p.Name(), p.Spec.RetentionPolicy, p.Spec.ImportsToKeep)
				}
			}
			if got := strings.Join(names, " "); got != tc.names {
				t.Errorf("want %s, got %s", tc.names, got)
			}
		})
	}
	if p := Upstream().Templates[0]; p.Spec.RetentionPolicy == nil {
		t.Error("At changed the table that it was given")
	}
}

// TestPastLabels are the preferences of the table from 1.9 to 1.12.
func TestPastLabels(t *testing.T) {
	t.Parallel()
	for release, want := range map[string]string{
		"1.9": "server.medium centos.9.stream fedora", "1.10": "u1.medium centos.9.stream fedora", "1.11": "u1.medium centos.stream9 fedora",
	} {
		table := Upstream().At(releaseOf(t, release))
		stream, fedora := table.Templates[0].Metadata.Labels, table.Templates[1].Metadata.Labels
		if got := stream[instancetypeLabel] + " " + stream[preferenceLabel] + " " + fedora[preferenceLabel]; got != want {
			t.Errorf("%s: want %s, got %s", release, want, got)
		}
	}
}

// TestAtKeepsOwnTable: a table that a user declares is believed, but for what
// HCO does not add yet.
func TestAtKeepsOwnTable(t *testing.T) {
	t.Parallel()
	own := Upstream()
	own.Name = "own"
	got := own.At(releaseOf(t, "1.15"))
	if _, claim := got.Templates[0].Annotation(ClaimAnnotation); len(got.Templates) != 3 || !claim || got.Templates[0].Spec.ImportsToKeep != nil {
		t.Errorf("got %v", got.Templates)
	}
}
