package configuration

import (
	"reflect"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// effect is what a field of an untrusted configuration may do.
type effect string

// The effects.
const (
	// counts is a field that says what goldenarch writes or reads. The prediction judges
	// the result, so that the field cannot hide an error.
	counts effect = "counts"
	// isFact is a field about the cluster. It counts, and the report names it.
	isFact effect = "fact"
	// raises is a field of which only the strict value counts.
	raises effect = "raises"
	// isIgnored is a field that could prove, hide or widen something. It has its default.
	isIgnored effect = "ignored"
)

// rule is what one field may do.
type rule struct {
	// Field is the path below the kind, such as spec.overrides.
	Field  string
	Effect effect
	// Strict is the value that counts of a field that raises. Of a map, the entries with it
	// count.
	Strict []string
	// Why explains the effect, as the documentation shows it.
	Why string
}

// GoldenImages has a rule for each field of [v1alpha1.GoldenImagesSpec].
var goldenImagesRules = slices.Concat([]rule{
	{Field: "spec.cluster", Effect: isFact, Why: "says which nodes there are"},
	{Field: "spec.release", Effect: isFact, Why: "says which HCO runs"},
	{Field: "spec.inputs", Effect: counts, Why: "names files of the same commit"},
	{Field: "spec.mode", Effect: isIgnored, Why: "`check` always checks"},
	{Field: "spec.platform", Effect: isIgnored, Why: "would leave out what is checked"},
	{Field: "spec.predefined", Effect: isIgnored, Why: "would leave out what is checked"},
	{Field: "spec.predefinedTemplates", Effect: isIgnored, Why: "would prove architectures"},
	{Field: "spec.existing", Effect: isIgnored, Why: "`Keep` would leave an error as a warning"},
	{Field: "spec.allow", Effect: counts, Why: "writes fewer architectures, never more"},
	{Field: "spec.overrides", Effect: isIgnored, Why: "would prove architectures"},
	{Field: "spec.unsupported", Effect: raises, Strict: []string{string(v1alpha1.UnsupportedFail)}, Why: "`Keep` would leave on what boots nowhere"},
	{Field: "spec.unresolved", Effect: isIgnored, Why: "`Keep` would leave an error as a warning"},
	{
		Field: "spec.gate", Effect: raises, Strict: []string{string(v1alpha1.GateEnable)},
		Why: "`Keep` and `Disable` would accept an alert of HCO",
	},
	{Field: "spec.singleArchitecture", Effect: counts, Why: "says what goldenarch writes"},
	{Field: "spec.defaults", Effect: counts, Why: "says what goldenarch writes"},
	{Field: "spec.expand", Effect: counts, Why: "says what goldenarch writes"},
	{
		Field: "spec.workloads", Effect: raises, Strict: []string{string(v1alpha1.WorkloadsAffinity), string(v1alpha1.WorkloadsCheck)},
		Why: "`None` would leave out the pods",
	},
	csvLabels,
}, shared)

// csvLabels is the rule of a field of both kinds.
var csvLabels = rule{
	Field: "spec.csvLabels", Effect: raises, Strict: []string{string(v1alpha1.CSVLabelsWrite)},
	Why: "`Off` would leave out the labels of a ClusterServiceVersion",
}

// WorkloadArchitectures has a rule for each field of [v1alpha1.WorkloadArchitecturesSpec].
var workloadsRules = slices.Concat([]rule{
	{Field: "spec.inputs", Effect: counts, Why: "names files of the same commit"},
	{
		Field: "spec.mode", Effect: raises, Strict: []string{string(v1alpha1.WorkloadsAffinity), string(v1alpha1.WorkloadsCheck)},
		Why: "`None` would leave out the pods",
	},
	{Field: "spec.clusterArchitectures", Effect: isFact, Why: "says which nodes there are"},
	{Field: "spec.limitTo", Effect: counts, Why: "writes fewer architectures, never more"},
	{Field: "spec.restrictToCluster", Effect: counts, Why: "writes fewer architectures, never more"},
	{Field: "spec.unresolved", Effect: raises, Strict: []string{string(v1alpha1.UnresolvedError)}, Why: "would prove architectures"},
	{Field: "spec.use", Effect: isIgnored, Why: "would prove architectures"},
	{Field: "spec.ignoreImages", Effect: isIgnored, Why: "would leave out what is checked"},
	{Field: "spec.imageArchitectures", Effect: isIgnored, Why: "would prove architectures"},
	{Field: "spec.preferred", Effect: counts, Why: "says what goldenarch writes"},
	{Field: "spec.os", Effect: counts, Why: "says what goldenarch writes"},
	{Field: "spec.selectors", Effect: isIgnored, Why: "would leave out what is checked"},
	{Field: "spec.additionalPaths", Effect: counts, Why: "finds more pods, never fewer"},
	{Field: "spec.discover", Effect: counts, Why: "finds more pods, never fewer"},
	{Field: "spec.overwrite", Effect: isIgnored, Why: "would correct it before goldenarch judges it"},
	csvLabels,
	{Field: "spec.prune", Effect: isIgnored, Why: "would correct it before goldenarch judges it"},
	{Field: "spec.operators", Effect: isIgnored, Why: "would prove architectures"},
	{Field: "spec.enforce", Effect: counts, Why: "says what goldenarch writes"},
}, shared)

// shared are the rules of the fields that both kinds have.
var shared = []rule{
	{Field: "spec.registry.timeout", Effect: isIgnored, Why: "would cost time and requests"},
	{Field: "spec.registry.requestTimeout", Effect: isIgnored, Why: "would cost time and requests"},
	{Field: "spec.registry.retries", Effect: isIgnored, Why: "would cost time and requests"},
	{Field: "spec.registry.concurrency", Effect: isIgnored, Why: "would cost time and requests"},
	{Field: "spec.registry.requestsPerSecond", Effect: isIgnored, Why: "would cost time and requests"},
	{
		Field: "spec.registry.verify", Effect: raises, Strict: []string{string(v1alpha1.VerifyChildren), string(v1alpha1.VerifyConfig)},
		Why: "verifies more, never less",
	},
	{Field: "spec.registry.insecure", Effect: isIgnored, Why: "would believe another server"},
	{Field: "spec.registry.pullSecrets", Effect: counts, Why: "names Secrets of the same commit; they go only to hosts that the operator allows"},
	{Field: "spec.registry.certificateAuthorities", Effect: isIgnored, Why: "would believe another server"},
	{Field: "spec.registry.mirrors", Effect: isIgnored, Why: "would believe another server"},
	{Field: "spec.lock.mode", Effect: isIgnored, Why: "the lock is of the same commit"},
	{Field: "spec.findings", Effect: raises, Strict: []string{string(v1alpha1.SeverityError)}, Why: "would hide an error; each entry has its own effect"},
}

// restrictFields gives each field of a configuration, which must be a pointer to one of the two
// specs, what its rule leaves of it. standard is a spec with the defaults. It returns the
// rules of the fields that lost their value, and of the facts that are stated.
func restrictFields[T v1alpha1.GoldenImagesSpec | v1alpha1.WorkloadArchitecturesSpec](spec, standard *T, rules []rule) (ignored, facts []rule) {
	for _, rule := range rules {
		own, plain := field(reflect.ValueOf(spec).Elem(), rule.Field), field(reflect.ValueOf(standard).Elem(), rule.Field)
		if isSame(own, plain) {
			continue
		}
		switch {
		case rule.Effect == isFact:
			facts = append(facts, rule)
		case rule.Effect == raises && own.Kind() == reflect.Map:
			if strict := strictOf(own, rule.Strict); strict.Len() < own.Len() {
				own.Set(strict)
				ignored = append(ignored, rule)
			}
		case rule.Effect == isIgnored, rule.Effect == raises && !slices.Contains(rule.Strict, own.String()):
			own.Set(plain)
			ignored = append(ignored, rule)
		}
	}
	return ignored, facts
}

// strictOf returns the entries of a map with one of the strict values.
func strictOf(m reflect.Value, strict []string) reflect.Value {
	out := reflect.MakeMap(m.Type()) // an empty one says as little as none
	for entry := m.MapRange(); entry.Next(); {
		if slices.Contains(strict, entry.Value().String()) {
			out.SetMapIndex(entry.Key(), entry.Value())
		}
	}
	return out
}

// isSame reports whether two values say the same. An empty list says as little as none.
func isSame(a, b reflect.Value) bool {
	if k := a.Kind(); (k == reflect.Slice || k == reflect.Map) && a.Len()+b.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// field returns the field at a path of JSON names. The first name is spec.
func field(spec reflect.Value, path string) reflect.Value {
	for _, name := range strings.Split(path, ".")[1:] {
		for i := range spec.NumField() {
			if tag, _, _ := strings.Cut(spec.Type().Field(i).Tag.Get("json"), ","); tag == name {
				spec = spec.Field(i)
				break
			}
		}
	}
	return spec
}
