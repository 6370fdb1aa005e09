package admission

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// structure is a part of the CRD's structural schema.
type structure struct {
	Ref string `json:"$ref"`

	Type        string           `json:"type"`
	IntOrString bool             `json:"x-kubernetes-int-or-string"`
	Nullable    bool             `json:"nullable"`
	Default     json.RawMessage  `json:"default"`
	Properties  map[string]*part `json:"properties"`
	Values      *part            `json:"additionalProperties"`
	Items       *part            `json:"items"`

	Required  []string `json:"required"`
	Enum      []any    `json:"enum"`
	Pattern   string   `json:"pattern"`
	MinLength int      `json:"minLength"`
	MaxLength *int     `json:"maxLength"`
	MaxItems  *int     `json:"maxItems"`
	Minimum   *float64 `json:"minimum"`
	ListType  string   `json:"x-kubernetes-list-type"`
	ListKeys  []string `json:"x-kubernetes-list-map-keys"`

	crd *crd // whose part it is

	// keep says that the API server prunes no field of the part.
	keep bool
	// The default and the pattern, read when they are first needed. They panic if there is none.
	fallback func() any
	pattern  func() *regexp.Regexp
}

// keeping returns a copy in which the API server keeps a property unchanged.
func (s *structure) keeping(key string) *structure {
	return s.with(key, func(property *structure) *structure {
		out := *property
		out.keep = true
		return &out
	})
}

// withoutGate returns a copy of v1beta1's structure as in the releases before the gate.
func (s *structure) withoutGate() *structure {
	return s.with("spec", func(spec *structure) *structure {
		return spec.with("featureGates", func(gates *structure) *structure {
			out := *gates
			out.Properties = maps.Clone(gates.Properties)
			delete(out.Properties, hyperconverged.GateName)
			return &out
		})
	})
}

// with returns a copy in which one property is changed, if it exists.
func (s *structure) with(key string, change func(*structure) *structure) *structure {
	property, ok := s.Properties[key]
	if !ok {
		return s
	}
	out := *s
	out.Properties = maps.Clone(s.Properties)
	out.Properties[key] = &part{read: change(s.crd.structure(property))}
	return &out
}

// child returns the structure of a field; nil if the field does not exist.
func (s *structure) child(key string) *structure {
	if property, ok := s.Properties[key]; ok {
		return s.crd.structure(property)
	}
	return s.crd.structure(s.Values)
}

// element returns the structure of a list's elements; nil if it is not a list.
func (s *structure) element() *structure { return s.crd.structure(s.Items) }

// find returns the structure at a path of fields; nil if it does not exist. The fields of a
// list's elements are below the list's name.
func (s *structure) find(path ...string) *structure {
	for _, key := range path {
		for s != nil && s.Items != nil {
			s = s.element()
		}
		if s == nil {
			return nil
		}
		s = s.child(key)
	}
	return s
}

// fit changes an object as the API server does when it decodes it. It sets defaults, then
// removes unknown fields, then removes nulls (apiextensions-apiserver
// customresource_handler.go).
func (s *structure) fit(object map[string]any) {
	s.fill(object)
	s.prune(object)
}

// fill sets the defaults. A default applies if the parent exists and the field does not, or
// if the field is null and not nullable. fill then sets the defaults inside that default
// (apiextensions-apiserver schema/defaulting).
func (s *structure) fill(value any) {
	if s == nil || s.keep {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for key := range s.Properties {
			property := s.child(key)
			now, ok := value[key]
			if ok && (now != nil || property.Nullable) {
				continue
			}
			if property.Default != nil {
				value[key] = runtime.DeepCopyJSONValue(property.fallback())
			}
		}
		for key, v := range value {
			s.child(key).fill(v)
		}
	case []any:
		for _, v := range value {
			s.element().fill(v)
		}
	}
}

// prune removes the fields that the CRD does not have, and null fields that are not
// nullable (apiextensions-apiserver schema/pruning, schema/defaulting).
func (s *structure) prune(value any) {
	if s == nil || s.keep {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			below := s.child(key)
			if below == nil || v == nil && !below.Nullable {
				delete(value, key)
				continue
			}
			below.prune(v)
		}
	case []any:
		for _, v := range value {
			s.element().prune(v)
		}
	}
}

// violations returns the parts of an object that the CRD refuses, as "spec.x: what", sorted
// by field name.
func (s *structure) violations(object map[string]any, release v1alpha1.Release) []string {
	var v violations
	v.check(s, object)
	// 1.19 introduced the CEL rule.
	if hyperconverged.WorksOnV1.In(release) {
		v.duplicateGates(lookup(object, "spec", "featureGates"))
	}
	return v.list
}

// typed reports whether every value of an object has the CRD's type, or is null. If not,
// HCO's webhooks cannot read the object.
func (s *structure) typed(object map[string]any) bool {
	var v violations
	v.check(s, object)
	return !v.untyped
}

type violations struct {
	list    []string
	untyped bool
	at      []string // the steps to the value that is checked: keys, and indexes in brackets
}

// add adds a violation of the value at the present place, or of a field of it.
func (v *violations) add(field, format string, args ...any) {
	path := field
	for _, step := range slices.Backward(v.at) {
		path = fieldpath.Below(step, path)
	}
	v.list = append(v.list, cmp.Or(path, "the object")+": "+fmt.Sprintf(format, args...))
}

// below checks a value below the present place.
func (v *violations) below(step string, s *structure, value any) {
	v.at = append(v.at, step)
	v.check(s, value)
	v.at = v.at[:len(v.at)-1]
}

func (v *violations) check(s *structure, value any) {
	if s == nil || value == nil && s.Nullable {
		return
	}
	if !s.is(value) {
		v.untyped = v.untyped || value != nil // Go ignores null
		v.add("", "is %s, must be of type %s", kindOf(value), s.typeName())
		return
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, value) {
		v.add("", "%s is not supported: expected one of %s", quoted(value), quoted(s.Enum...))
	}
	switch value := value.(type) {
	case map[string]any:
		v.object(s, value)
	case []any:
		v.array(s, value)
	case string:
		v.text(s, value)
	case int64:
		v.number(s, float64(value))
	case float64:
		v.number(s, value)
	}
}

func (v *violations) object(s *structure, value map[string]any) {
	for _, key := range s.Required {
		if _, ok := value[key]; !ok {
			v.add(key, "is required")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(value)) {
		v.below(key, s.child(key), value[key])
	}
}

func (v *violations) array(s *structure, list []any) {
	if s.MaxItems != nil && len(list) > *s.MaxItems {
		v.add("", "has %d items, must have at most %d", len(list), *s.MaxItems)
	}
	seen := map[string]bool{}
	for i, item := range list {
		index := fieldpath.Element("", i)
		v.below(index, s.element(), item)
		key, unique := s.listKey(item)
		if unique && seen[key] {
			v.add(index, "is a duplicate: %s", key)
		}
		seen[key] = true
	}
}

// listKey returns the value that must be unique in a list of type set or map.
func (s *structure) listKey(item any) (string, bool) {
	switch s.ListType {
	case "set":
		return quoted(item), true
	case "map":
		parts := make([]string, len(s.ListKeys))
		for i, key := range s.ListKeys {
			parts[i] = key + "=" + quoted(lookup(item, key))
		}
		return strings.Join(parts, ","), true
	default:
		return "", false
	}
}

func (v *violations) text(s *structure, value string) {
	if s.Pattern != "" && !s.pattern().MatchString(value) {
		v.add("", "%q must match %q", value, s.Pattern)
	}
	length := utf8.RuneCountInString(value)
	if length < s.MinLength {
		v.add("", "must have at least %d characters", s.MinLength)
	}
	if s.MaxLength != nil && length > *s.MaxLength {
		v.add("", "has %d characters, must have at most %d", length, *s.MaxLength)
	}
}

func (v *violations) number(s *structure, value float64) {
	if s.Minimum != nil && value < *s.Minimum {
		v.add("", "%v is too small: must be at least %v", value, *s.Minimum)
	}
}

// duplicateGates applies the CEL rule of the v1 list: names are unique, ignoring case.
func (v *violations) duplicateGates(gates any) {
	list, _ := gates.([]any)
	seen := map[string]bool{}
	for i, gate := range list {
		name := strings.ToLower(text(gate, "name"))
		if seen[name] {
			v.add(fmt.Sprintf("spec.featureGates[%d].name", i), "%q is a duplicate: feature gate names must be unique (case-insensitive)", text(gate, "name"))
		}
		seen[name] = true
	}
}

// is reports whether a value has the type.
func (s *structure) is(value any) bool {
	switch value := value.(type) {
	case string:
		return s.IntOrString || s.Type == "string"
	case int64:
		return s.IntOrString || s.Type == "integer" || s.Type == "number"
	case float64:
		whole := value == math.Trunc(value)
		return s.Type == "number" || whole && (s.IntOrString || s.Type == "integer")
	case bool:
		return s.Type == "boolean"
	case []any:
		return s.Type == "array"
	case map[string]any:
		return s.Type == "object"
	default:
		return false
	}
}

func (s *structure) typeName() string {
	if s.IntOrString {
		return "integer or string"
	}
	return s.Type
}
