package admission

import (
	"encoding/json"
	"maps"
	"regexp"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// structure is a part of the CRD's structural schema.
type structure struct {
	Ref string `json:"$ref"`

	Type        string                `json:"type"`
	IntOrString bool                  `json:"x-kubernetes-int-or-string"`
	Nullable    bool                  `json:"nullable"`
	Default     json.RawMessage       `json:"default"`
	Properties  map[string]*structure `json:"properties"`
	Values      *structure            `json:"additionalProperties"`
	Items       *structure            `json:"items"`

	Required  []string `json:"required"`
	Enum      []any    `json:"enum"`
	Pattern   string   `json:"pattern"`
	MinLength int      `json:"minLength"`
	MaxLength *int     `json:"maxLength"`
	MaxItems  *int     `json:"maxItems"`
	Minimum   *float64 `json:"minimum"`
	ListType  string   `json:"x-kubernetes-list-type"`
	ListKeys  []string `json:"x-kubernetes-list-map-keys"`

	// keep says that the API server prunes no field of the part.
	keep     bool
	fallback any
	pattern  *regexp.Regexp
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
	out.Properties[key] = change(property)
	return &out
}

// child returns the structure of a field; nil if the field does not exist.
func (s *structure) child(key string) *structure {
	if property, ok := s.Properties[key]; ok {
		return property
	}
	return s.Values
}

// find returns the structure at a path of fields; nil if it does not exist. The fields of a
// list's elements are below the list's name.
func (s *structure) find(path ...string) *structure {
	for _, key := range path {
		for s != nil && s.Items != nil {
			s = s.Items
		}
		if s == nil {
			return nil
		}
		s = s.child(key)
	}
	return s
}
