package configuration

import (
	"flag"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/test/filetest"
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

var update = flag.Bool("update", false, "write the tables of docs/configuration.md")

// TestRulesAreDocumented: docs/configuration.md has the rules as they are, those of both kinds once.
func TestRulesAreDocumented(t *testing.T) {
	t.Parallel()
	filetest.Part(t, "../../../docs/configuration.md", "untrusted GoldenImages", tableOf(goldenImagesRules), *update)
	own := slices.DeleteFunc(slices.Clone(workloadsRules), func(r rule) bool {
		return slices.ContainsFunc(goldenImagesRules, func(other rule) bool { return reflect.DeepEqual(r, other) })
	})
	filetest.Part(t, "../../../docs/configuration.md", "untrusted WorkloadArchitectures", tableOf(own), *update)
}

// tableOf returns rules in Markdown. Fields with the same effect for the same reason share a row.
func tableOf(rules []rule) string {
	text := "| fields | what counts | why |\n|---|---|---|\n"
	for i, r := range rules {
		same := func(other rule) bool {
			return other.Effect == r.Effect && other.Why == r.Why && slices.Equal(other.Strict, r.Strict)
		}
		if slices.IndexFunc(rules, same) < i {
			continue
		}
		var fields []string
		for _, other := range rules {
			if same(other) {
				fields = append(fields, "`"+strings.TrimPrefix(other.Field, "spec.")+"`")
			}
		}
		effect := map[effect]string{
			counts: "the field", isFact: "the field; GA853 names it", isIgnored: "the default", raises: "only `" + strings.Join(r.Strict, "` and `") + "`",
		}[r.Effect]
		text += "| " + strings.Join(fields, ", ") + " | " + effect + " | " + r.Why + " |\n"
	}
	return text
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
