package admission

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"sync"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/hyperconverged"
)

//go:embed crd.json
var crdJSON []byte

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

	// keep says that the part is taken as it is: no field of it is pruned.
	keep     bool
	fallback any
	pattern  *regexp.Regexp
}

// crd is the structure of both versions.
type crd struct {
	Definitions map[string]*structure `json:"definitions"`
	V1          *structure            `json:"v1"`
	V1beta1     *structure            `json:"v1beta1"`
}

// load reads the embedded structure, once.
var load = sync.OnceValues(func() (*crd, error) {
	var c crd
	if err := json.Unmarshal(crdJSON, &c); err != nil {
		return nil, fmt.Errorf("crd.json: %w", err)
	}
	for _, root := range []**structure{&c.V1, &c.V1beta1} {
		if err := c.resolve(root); err != nil {
			return nil, fmt.Errorf("crd.json: %w", err)
		}
		// The API server knows metadata by itself, and the CRD leaves status to
		// the operator.
		(*root).Properties["metadata"].keep = true
		(*root).Properties["status"].keep = true
	}
	return &c, nil
})

// resolve puts the shared parts in their places and reads defaults and
// patterns.
func (c *crd) resolve(at **structure) error {
	s := *at
	if s.Ref != "" {
		shared, ok := c.Definitions[s.Ref]
		if !ok {
			return fmt.Errorf("there is no definition %q", s.Ref)
		}
		copied := *shared
		s = &copied
		s.Properties = maps.Clone(shared.Properties)
		*at = s
	}
	var err error
	if s.Default != nil {
		if s.fallback, err = decode(s.Default); err != nil {
			return err
		}
	}
	if s.Pattern != "" {
		if s.pattern, err = regexp.Compile(s.Pattern); err != nil {
			return err
		}
	}
	for key, property := range s.Properties {
		if err := c.resolve(&property); err != nil {
			return err
		}
		s.Properties[key] = property
	}
	for _, below := range []**structure{&s.Items, &s.Values} {
		if *below != nil {
			if err := c.resolve(below); err != nil {
				return err
			}
		}
	}
	return nil
}

// structureOf returns the structure of a version, with the gate as the release
// has it; all else is the newest release's (hco config/crd/bases).
func structureOf(version hyperconverged.Version, release v1alpha1.Release) (*structure, error) {
	c, err := load()
	if err != nil {
		return nil, err
	}
	root, holder := c.V1, "workloadSources"
	if version == hyperconverged.V1beta1 {
		root, holder = c.V1beta1, "featureGates"
	}
	if since(release, firstField) {
		return root, nil
	}
	return root.with("spec", func(spec *structure) *structure {
		return spec.with(holder, func(part *structure) *structure {
			out := *part
			out.Properties = maps.Clone(part.Properties)
			delete(out.Properties, hyperconverged.GateName)
			if version == hyperconverged.V1beta1 && since(release, firstGate) {
				out.Properties[hyperconverged.GateName] = &structure{Type: "boolean", fallback: false}
			}
			return &out
		})
	}), nil
}

// with returns a copy in which one property is changed.
func (s *structure) with(key string, change func(*structure) *structure) *structure {
	out := *s
	out.Properties = maps.Clone(s.Properties)
	out.Properties[key] = change(s.Properties[key])
	return &out
}

// child returns the structure of a field, nil if there is no such field.
func (s *structure) child(key string) *structure {
	if property, ok := s.Properties[key]; ok {
		return property
	}
	return s.Values
}
