package configuration

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// leaves returns the JSON paths of the fields of a spec. Of the two parts that both ruledKinds
// have, each field has a path of its own.
func leaves(of reflect.Type, path string) []string {
	var out []string
	for f := range of.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		at := path + "." + name
		if at == "spec.registry" || at == "spec.lock" {
			out = append(out, leaves(f.Type, at)...)
			continue
		}
		out = append(out, at)
	}
	return out
}

// ruledKinds are the specs with their rules.
var ruledKinds = map[string]struct {
	spec  any
	rules []rule
}{
	"GoldenImages":          {v1alpha1.GoldenImagesSpec{}, goldenImagesRules},
	"WorkloadArchitectures": {v1alpha1.WorkloadArchitecturesSpec{}, workloadsRules},
}

// TestEachFieldHasARule: somebody who adds a field must decide what a stranger may do with
// it.
func TestEachFieldHasARule(t *testing.T) {
	t.Parallel()
	for kind, one := range ruledKinds {
		var ruled []string
		for _, one := range one.rules {
			ruled = append(ruled, one.Field)
			if (one.Effect == raises) != (len(one.Strict) > 0) || one.Why == "" {
				t.Errorf("%s: %s: the rule is incomplete: %+v", kind, one.Field, one)
			}
		}
		want := leaves(reflect.TypeOf(one.spec), "spec")
		slices.Sort(ruled)
		slices.Sort(want)
		if !slices.Equal(ruled, want) {
			t.Errorf("%s: the fields are\n%q, and the rules are for\n%q", kind, want, ruled)
		}
	}
}

// TestRulesAreDocumented: docs/configuration.md has the rules as they are.
func TestRulesAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	for kind, one := range ruledKinds {
		for _, one := range one.rules {
			if row := rowOf(one); !strings.Contains(string(page), row) {
				t.Errorf("docs/configuration.md lacks this row of the %s:\n%s", kind, row)
			}
		}
	}
}

// rowOf returns a rule as a row of the table in the documentation.
func rowOf(r rule) string {
	effect := map[effect]string{
		counts: "counts", isFact: "counts, and the report names it (GA853)", isIgnored: "ignored: the default counts (GA852)",
		raises: "only `" + strings.Join(r.Strict, "` and `") + "` counts, else the default (GA852)",
	}[r.Effect]
	return "| `" + strings.TrimPrefix(r.Field, "spec.") + "` | " + effect + " | " + r.Why + " |"
}

// TestRestrict: of a configuration that states every field, what is ignored has its default
// and what counts stays.
func TestRestrict(t *testing.T) {
	t.Parallel()
	retries := 9
	registry := v1alpha1.RegistrySpec{
		Timeout: "9h", RequestTimeout: "9h", Retries: &retries, Concurrency: 999, RequestsPerSecond: 1, Verify: v1alpha1.VerifyConfig,
		Insecure: []string{"a"}, PullSecrets: []string{"s"}, CertificateAuthorities: []string{"c"},
		Mirrors: []v1alpha1.RegistryMirrors{{Source: "quay.io", Mirrors: []string{"evil.example"}}},
	}
	full := v1alpha1.GoldenImagesSpec{
		Cluster: v1alpha1.ClusterSpec{WorkloadArchitectures: []string{"amd64"}}, Inputs: []string{"x"}, Mode: v1alpha1.ModeCheck,
		Platform: v1alpha1.Kubernetes, Release: "1.18", Predefined: v1alpha1.PredefinedNone,
		PredefinedTemplates: []v1alpha1.PredefinedTemplate{{Name: "a"}}, Existing: v1alpha1.ExistingKeep, Allow: []string{"amd64"},
		Overrides: []v1alpha1.Override{{Image: "a"}}, Unsupported: v1alpha1.UnsupportedKeep, Unresolved: v1alpha1.UnresolvedKeep,
		Gate: v1alpha1.GateKeep, SingleArchitecture: "amd64", Defaults: v1alpha1.DefaultsWrite, Expand: v1alpha1.ExpandSpec{Mode: v1alpha1.ExpandEmit},
		Registry: registry, Lock: v1alpha1.LockSpec{Mode: v1alpha1.LockIgnore}, Workloads: v1alpha1.WorkloadsNone, CSVLabels: v1alpha1.CSVLabelsOff,
		Findings: map[string]v1alpha1.FindingSeverity{"GA104": v1alpha1.SeverityIgnore},
	}
	var standard v1alpha1.GoldenImagesSpec
	standard.Default()
	compare(t, &full, &standard, goldenImagesRules, "spec.unsupported", "spec.gate", "spec.workloads", "spec.csvLabels", "spec.findings")

	pods := v1alpha1.WorkloadArchitecturesSpec{
		Mode: v1alpha1.WorkloadsNone, ClusterArchitectures: []string{"amd64"}, LimitTo: []string{"amd64"}, RestrictToCluster: true,
		Unresolved: v1alpha1.UnresolvedUse, Use: []string{"arm64"}, IgnoreImages: []string{"a"}, ImageArchitectures: map[string][]string{"a": {"arm64"}},
		Preferred: []v1alpha1.PreferredArchitecture{{Architecture: "arm64", Weight: 1}}, OS: v1alpha1.OSNever,
		Selectors: v1alpha1.WorkloadSelectors{Names: []string{"none"}}, AdditionalPaths: []v1alpha1.AdditionalPath{{Kind: "a", Path: "b"}}, Discover: true,
		Overwrite: true, CSVLabels: v1alpha1.CSVLabelsOff, Prune: true, Operators: map[string][]string{"a": {"arm64"}}, Enforce: true,
		Inputs: []string{"x"}, Registry: registry, Lock: v1alpha1.LockSpec{Mode: v1alpha1.LockIgnore},
		Findings: map[string]v1alpha1.FindingSeverity{"GA701": v1alpha1.SeverityWarning},
	}
	var plain v1alpha1.WorkloadArchitecturesSpec
	plain.Default()
	compare(t, &pods, &plain, workloadsRules, "spec.unresolved", "spec.mode", "spec.csvLabels", "spec.findings")
}

// TestRestrictFindings: an entry that raises counts, whatever the others say.
func TestRestrictFindings(t *testing.T) {
	t.Parallel()
	spec := v1alpha1.GoldenImagesSpec{Findings: map[string]v1alpha1.FindingSeverity{
		"GA104": v1alpha1.SeverityError, "GA105": v1alpha1.SeverityWarning, "GA118": v1alpha1.SeverityIgnore,
	}}
	ignored, _ := restrictFields(&spec, &v1alpha1.GoldenImagesSpec{}, goldenImagesRules)
	if len(ignored) != 1 || len(spec.Findings) != 1 || spec.Findings["GA104"] != v1alpha1.SeverityError {
		t.Errorf("want only the entry that raises, got %v and %v", spec.Findings, ignored)
	}
}

// compare restricts a spec of which every field differs from the default. lowered are the
// fields of which a strict value would count.
func compare[T v1alpha1.GoldenImagesSpec | v1alpha1.WorkloadArchitecturesSpec](t *testing.T, spec, standard *T, rules []rule, lowered ...string) {
	t.Helper()
	before := *spec
	ignored, facts := restrictFields(spec, standard, rules)
	for _, one := range rules {
		loses := one.Effect == isIgnored || slices.Contains(lowered, one.Field)
		want := field(reflect.ValueOf(&before).Elem(), one.Field)
		if loses {
			want = field(reflect.ValueOf(standard).Elem(), one.Field)
		}
		if got := field(reflect.ValueOf(spec).Elem(), one.Field); !isSame(got, want) {
			t.Errorf("%s: want %v, got %v", one.Field, want, got)
		}
		is := func(other rule) bool { return other.Field == one.Field }
		if slices.ContainsFunc(ignored, is) != loses || slices.ContainsFunc(facts, is) != (one.Effect == isFact) {
			t.Errorf("%s: not reported as what it is (%s)", one.Field, one.Effect)
		}
	}
}

// TestStrictValuesCount: a stranger may ask for more.
func TestStrictValuesCount(t *testing.T) {
	t.Parallel()
	var spec, standard v1alpha1.GoldenImagesSpec
	spec.Default()
	standard.Default()
	spec.Unsupported, spec.Registry.Verify, spec.Workloads = v1alpha1.UnsupportedFail, v1alpha1.VerifyConfig, v1alpha1.WorkloadsCheck
	if ignored, facts := restrictFields(&spec, &standard, goldenImagesRules); len(ignored)+len(facts) > 0 || spec.Unsupported != v1alpha1.UnsupportedFail {
		t.Errorf("want nothing ignored, got %v", ignored)
	}
}
