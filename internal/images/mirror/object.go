package mirror

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/fieldpath"
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

// MalformedError is the list of all mistakes in a mirror set.
type MalformedError []Fault

// Error returns all mistakes in one line.
func (f MalformedError) Error() string {
	parts := make([]string, len(f))
	for i, one := range f {
		parts[i] = one.Path + " " + one.Text
	}
	return strings.Join(parts, "; ")
}

func (f *MalformedError) add(path, format string, args ...any) {
	*f = append(*f, Fault{Path: path, Text: fmt.Sprintf(format, args...)})
}

// unknown adds a fault for each field of an object that is not among the known ones.
func (f *MalformedError) unknown(object map[string]any, path string, known ...string) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(known, key) {
			f.add(path+"."+key, "is no field of this kind, which has %s", strings.Join(known, ", "))
		}
	}
}

// Parse reads a mirror set, for which [Is] returns true, from JSON. The error is
// [MalformedError]. A field that the kind does not have is an error. OpenShift would drop
// it, and with a misspelled mirrorSourcePolicy goldenarch would query a forbidden registry.
func Parse(apiVersion, kind string, data []byte) ([]Rule, error) {
	s := kindOf(apiVersion, kind)
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil || s == nil {
		return nil, MalformedError{{Text: fmt.Sprintf("cannot be read as a mirror set of the kind %q", kind)}}
	}
	var faults MalformedError
	if apiVersion != s.apiVersion {
		faults.add("apiVersion", "is %q, expected %q: OpenShift serves no other", apiVersion, s.apiVersion)
	}
	spec := fieldOf[map[string]any](&faults, object, "spec", "spec", "an object")
	path := "spec." + s.field
	faults.unknown(spec, "spec", s.field)
	var rules []Rule
	for i, one := range fieldOf[[]any](&faults, spec, s.field, path, "a list") {
		at := fieldpath.Element(path, i)
		entry, ok := one.(map[string]any)
		if !ok {
			faults.add(at, "is not an object")
			continue
		}
		rules = append(rules, s.rule(&faults, entry, at))
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return rules, nil
}

func (s *set) rule(faults *MalformedError, entry map[string]any, at string) Rule {
	before := len(*faults)
	r := Rule{Use: s.use, Source: fieldOf[string](faults, entry, "source", at+".source", "a string")}
	if why := v1alpha1.CheckMirrorSource(r.Source); why != "" && len(*faults) == before {
		faults.add(at+".source", "is %q: %s", r.Source, why)
	}
	for i, one := range fieldOf[[]any](faults, entry, "mirrors", at+".mirrors", "a list") {
		location, ok := one.(string)
		path := fmt.Sprintf("%s.mirrors[%d]", at, i)
		if !ok {
			faults.add(path, "is not a string")
		} else if why := v1alpha1.CheckMirror(location); why != "" {
			faults.add(path, "is %q: %s", location, why)
		}
		r.Mirrors = append(r.Mirrors, location)
	}
	if !s.policy {
		faults.unknown(entry, at, "source", "mirrors")
		return r
	}
	faults.unknown(entry, at, "source", "mirrors", "mirrorSourcePolicy")
	switch word := fieldOf[string](faults, entry, "mirrorSourcePolicy", at+".mirrorSourcePolicy", "a string"); word {
	case "", "AllowContactingSource":
	case "NeverContactSource":
		r.NeverContactSource = true
	default:
		faults.add(at+".mirrorSourcePolicy", "is %q, expected NeverContactSource or AllowContactingSource", word)
	}
	return r
}

// fieldOf returns a field with a value of type T, or the zero value if the field is
// missing.
func fieldOf[T any](faults *MalformedError, object map[string]any, key, path, what string) T {
	value, ok := object[key].(T)
	if !ok && object[key] != nil {
		faults.add(path, "is not %s", what)
	}
	return value
}
