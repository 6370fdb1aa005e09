package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/transformers"
)

// statedTable has a template that claims what it is reported to, and one without a
// claim.
func statedTable(claim string) hyperconverged.Table {
	registry := v1alpha1.RegistrySource{URL: appURL}
	return hyperconverged.None().WithStated([]v1alpha1.PredefinedTemplate{
		{Name: "built-in", ManagedDataSource: "built-in", Registry: registry, Architectures: set(claim).Strings()},
		{Name: "no-claim", ManagedDataSource: "no-claim", Registry: registry, Architectures: []string{}},
	})
}

// stub is an entry that is only there to disable a predefined template.
func stub(name string, notes map[string]string) hyperconverged.Template {
	return hyperconverged.Template{Metadata: &hyperconverged.TemplateMetadata{Name: name, Annotations: notes}}
}

func TestPredefined(t *testing.T) {
	t.Parallel()
	byPerson := map[string]string{hyperconverged.EnableAnnotation: "false"}
	override := []v1alpha1.Override{{Template: "built-in", Architectures: []string{"s390x"}}}
	off := func(s *Known) { s.CR.CommonImport = false }
	for _, tc := range []struct {
		reason  string
		claim   string
		entries []hyperconverged.Template
		change  func(*Known)
		want    []transformers.Template
		found   string
	}{
		{"a node can use it", "arm64,s390x", nil, nil, nil, ""},
		{
			reason: "none can: an entry disables it",
			claim:  "s390x",
			want:   []transformers.Template{{Index: -1, Name: "built-in", Switch: transformers.Disable, Because: hyperconverged.NoSupportedArchitecture}},
			found:  "warning GA109",
		},
		{"none can, and that is an error", "s390x", nil, func(s *Known) { s.Spec.Unsupported = v1alpha1.UnsupportedFail }, nil, "error GA111"},
		{"none can, and it stays", "s390x", nil, func(s *Known) { s.Spec.Unsupported = v1alpha1.UnsupportedKeep }, nil, "warning GA111"},
		{"none can, but HCO imports no predefined ones", "s390x", nil, off, nil, ""},
		{"none can, but plain Kubernetes has no golden images", "s390x", nil, func(s *Known) { s.Spec.Platform = v1alpha1.Kubernetes }, nil, ""},
		{
			reason: "a person knows better than the table",
			claim:  "amd64,s390x",
			change: func(s *Known) { s.Spec.Overrides = override },
			want:   []transformers.Template{{Index: -1, Name: "built-in", Switch: transformers.Disable, Because: hyperconverged.NoSupportedArchitecture}},
			found:  "warning GA109",
		},
		{"an override cannot widen what HCO has built in", "s390x", nil, func(s *Known) {
			s.Spec.Overrides = []v1alpha1.Override{{Template: "built-in", Architectures: []string{"amd64"}}}
		}, []transformers.Template{{Index: -1, Name: "built-in", Switch: transformers.Disable, Because: hyperconverged.NoSupportedArchitecture}}, "warning GA109"},
		{
			reason:  "the entry is still needed",
			claim:   "s390x",
			entries: []hyperconverged.Template{stub("built-in", disabled())},
			want:    []transformers.Template{{Name: "built-in", Switch: transformers.Disable, Because: hyperconverged.NoSupportedArchitecture}},
			found:   "warning GA109",
		},
		{
			reason:  "the entry goes: a node can use it",
			claim:   "amd64",
			entries: []hyperconverged.Template{stub("built-in", disabled())},
			want:    []transformers.Template{{Name: "built-in", Switch: transformers.Remove}},
		},
		{
			reason:  "the entry goes: HCO imports no predefined ones",
			claim:   "s390x",
			entries: []hyperconverged.Template{stub("built-in", disabled())},
			change:  off,
			want:    []transformers.Template{{Name: "built-in", Switch: transformers.Remove}},
		},
		{
			reason:  "the entry goes: it is to stay on",
			claim:   "s390x",
			entries: []hyperconverged.Template{stub("built-in", disabled())},
			change:  func(s *Known) { s.Spec.Unsupported = v1alpha1.UnsupportedKeep },
			want:    []transformers.Template{{Name: "built-in", Switch: transformers.Remove}},
			found:   "warning GA111",
		},
		{
			reason:  "the entry goes: the template is not in the table any more",
			claim:   "amd64",
			entries: []hyperconverged.Template{stub("old", disabled())},
			want:    []transformers.Template{{Name: "old", Switch: transformers.Remove}},
		},
		{
			reason:  "the entry goes: goldenarch takes over predefined templates, and this is none any more",
			claim:   "amd64",
			entries: []hyperconverged.Template{stub("old", disabled())},
			change: func(s *Known) {
				s.Table = hyperconverged.Table{}
				s.Spec.Expand = v1alpha1.ExpandSpec{Mode: v1alpha1.ExpandTakeOver, Predefined: true}
			},
			want: []transformers.Template{{Name: "old", Switch: transformers.Remove}},
		},
		{"an entry of a person stays", "amd64", []hyperconverged.Template{stub("built-in", byPerson)}, nil, nil, ""},
		{"an entry of a person says enough", "s390x", []hyperconverged.Template{stub("built-in", byPerson)}, nil, nil, ""},
	} {
		s := subject(tc.entries...)
		s.Table = statedTable(tc.claim)
		if tc.change != nil {
			tc.change(&s)
		}
		p, found := decide(t, s, Answer{})
		if diff := cmp.Diff(tc.want, p.Templates); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
		if ids(found) != tc.found {
			t.Errorf("%s: want %q, got %s", tc.reason, tc.found, found)
		}
	}
}

// TestPredefinedUnknown: of OpenShift's table the claims are not known, and not
// guessed.
func TestPredefinedUnknown(t *testing.T) {
	t.Parallel()
	s := subject()
	s.Table, s.Cluster.Workload = hyperconverged.OpenShift(), set("riscv64")
	p, found := decide(t, s, Answer{})
	if len(p.Templates) > 0 || ids(found) != "info GA114" {
		t.Errorf("nothing is decided, and that is told once: %v, %s", p.Templates, found)
	}
	s.Spec.Overrides = []v1alpha1.Override{{Template: "rhel9-image-cron", Architectures: []string{"amd64"}}}
	p, _ = decide(t, s, Answer{})
	want := []transformers.Template{{Index: -1, Name: "rhel9-image-cron", Switch: transformers.Disable, Because: hyperconverged.NoSupportedArchitecture}}
	if diff := cmp.Diff(want, p.Templates); diff != "" {
		t.Errorf("what a person says of one decides it (-want +got):\n%s", diff)
	}
}

// TestDefaults: what HCO's webhook adds depends on the release.
func TestDefaults(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		release string
		policy  v1alpha1.Defaults
		want    transformers.Defaults
		found   string
	}{
		{"", v1alpha1.DefaultsKeep, transformers.Defaults{}, ""},
		{"1.19", v1alpha1.DefaultsKeep, transformers.Defaults{}, ""},
		{"", v1alpha1.DefaultsWrite, transformers.Defaults{}, "error GA409"},
		{"1.17", v1alpha1.DefaultsWrite, transformers.Defaults{Bind: true}, ""},
		{"4.22", v1alpha1.DefaultsWrite, transformers.Defaults{Bind: true, Retention: true}, "info GA871"},
	} {
		s := subject()
		s.Spec.Release, s.Spec.Defaults = released(tc.release), tc.policy
		p, found := decide(t, s, Answer{})
		if diff := cmp.Diff(tc.want, p.Defaults); diff != "" || ids(found) != tc.found {
			t.Errorf("release %q, %s: want findings %q, got %q\n%s", tc.release, tc.policy, tc.found, found, diff)
		}
	}
}
