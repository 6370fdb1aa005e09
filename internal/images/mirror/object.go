package mirror

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// set is a kind of mirror set: the field that has its rules, and the references that they
// apply to.
type set struct {
	apiVersion, kind string
	field            string
	use              Use
	policy           bool // the kind has the field mirrorSourcePolicy
}

// The kinds of OpenShift (api config/v1, operator/v1alpha1).
var sets = []set{
	{apiVersion: "config.openshift.io/v1", kind: "ImageDigestMirrorSet", field: "imageDigestMirrors", use: DigestOnly, policy: true},
	{apiVersion: "config.openshift.io/v1", kind: "ImageTagMirrorSet", field: "imageTagMirrors", use: TagOnly, policy: true},
	{apiVersion: "operator.openshift.io/v1alpha1", kind: "ImageContentSourcePolicy", field: "repositoryDigestMirrors", use: DigestOnly},
}

// Is reports whether an object is a mirror set, of any version. A version that OpenShift
// does not serve is malformed.
func Is(apiVersion, kind string) bool { return kindOf(apiVersion, kind) != nil }

func kindOf(apiVersion, kind string) *set {
	for i, s := range sets {
		if s.kind == kind && group(s.apiVersion) == group(apiVersion) {
			return &sets[i]
		}
	}
	return nil
}

func group(apiVersion string) string {
	name, _, _ := strings.Cut(apiVersion, "/")
	return name
}

// Fault is one mistake in a mirror set.
type Fault struct {
	Path string // of the field: spec.imageDigestMirrors[0].source
	Text string
}

// faults collects all mistakes in a mirror set.
type faults []Fault

func (f *faults) add(path, format string, args ...any) {
	*f = append(*f, Fault{Path: path, Text: fmt.Sprintf(format, args...)})
}

// unknown adds a fault for each field of an object that is not among the known ones.
func (f *faults) unknown(object map[string]any, path string, known ...string) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(known, key) {
			f.add(path+"."+key, "is no field of this kind, which has %s", strings.Join(known, ", "))
		}
	}
}

// Parse reads a mirror set, for which [Is] returns true, from JSON. It returns the rules, or
// all mistakes. A field that the kind does not have is a mistake. OpenShift would drop it, and
// with a misspelled mirrorSourcePolicy goldenarch would query a forbidden registry.
func Parse(apiVersion, kind string, data []byte) ([]Rule, []Fault) {
	s := kindOf(apiVersion, kind)
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil || s == nil {
		return nil, []Fault{{Text: fmt.Sprintf("cannot be read as a mirror set of the kind %q", kind)}}
	}
	var wrong faults
	if apiVersion != s.apiVersion {
		wrong.add("apiVersion", "is %q, expected %q: OpenShift serves no other", apiVersion, s.apiVersion)
	}
	spec := fieldOf[map[string]any](&wrong, object, "spec", "spec", "an object")
	path := "spec." + s.field
	wrong.unknown(spec, "spec", s.field)
	var rules []Rule
	for i, one := range fieldOf[[]any](&wrong, spec, s.field, path, "a list") {
		at := fieldpath.Element(path, i)
		entry, ok := one.(map[string]any)
		if !ok {
			wrong.add(at, "is not an object")
			continue
		}
		rules = append(rules, s.rule(&wrong, entry, at))
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	return rules, nil
}

func (s *set) rule(wrong *faults, entry map[string]any, at string) Rule {
	before := len(*wrong)
	r := Rule{Use: s.use, Source: fieldOf[string](wrong, entry, "source", at+".source", "a string")}
	if why := v1alpha1.CheckMirrorSource(r.Source); why != "" && len(*wrong) == before {
		wrong.add(at+".source", "is %q: %s", r.Source, why)
	}
	for i, one := range fieldOf[[]any](wrong, entry, "mirrors", at+".mirrors", "a list") {
		location, ok := one.(string)
		path := fmt.Sprintf("%s.mirrors[%d]", at, i)
		if !ok {
			wrong.add(path, "is not a string")
		} else if why := v1alpha1.CheckMirror(location); why != "" {
			wrong.add(path, "is %q: %s", location, why)
		}
		r.Mirrors = append(r.Mirrors, location)
	}
	if !s.policy {
		wrong.unknown(entry, at, "source", "mirrors")
		return r
	}
	wrong.unknown(entry, at, "source", "mirrors", "mirrorSourcePolicy")
	switch word := fieldOf[string](wrong, entry, "mirrorSourcePolicy", at+".mirrorSourcePolicy", "a string"); word {
	case "", "AllowContactingSource":
	case "NeverContactSource":
		r.NeverContactSource = true
	default:
		wrong.add(at+".mirrorSourcePolicy", "is %q, expected NeverContactSource or AllowContactingSource", word)
	}
	return r
}

// fieldOf returns a field with a value of type T, or the zero value if the field is
// missing.
func fieldOf[T any](wrong *faults, object map[string]any, key, path, what string) T {
	value, ok := object[key].(T)
	if !ok && object[key] != nil {
		wrong.add(path, "is not %s", what)
	}
	return value
}
