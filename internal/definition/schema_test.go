package definition

import (
	"reflect"
	"strings"
	"testing"
)

// schema is an OpenAPI v3 schema.
type schema map[string]any

// schemaOf makes the schema of a type. The defaults are those of a value that
// was decoded from nothing, as JSON.
func (s sources) schemaOf(t *testing.T, typ reflect.Type, defaults any) schema {
	t.Helper()
	switch typ.Kind() {
	case reflect.Pointer:
		return s.schemaOf(t, typ.Elem(), defaults)
	case reflect.Struct:
		if !strings.HasPrefix(typ.PkgPath(), "github.com/goldenarch/goldenarch/") {
			// A type of another project, which goldenarch decodes itself.
			return schema{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
		}
		return s.object(t, typ, defaults)
	case reflect.Slice:
		return schema{"type": "array", "items": s.schemaOf(t, typ.Elem(), nil)}
	case reflect.Map:
		return schema{"type": "object", "additionalProperties": s.schemaOf(t, typ.Elem(), nil)}
	case reflect.String:
		out := schema{"type": "string"}
		if typ.PkgPath() != "" {
			values := s.of(t, typ).values[typ.Name()]
			if len(values) == 0 {
				t.Errorf("%s has no constants: what may be written?", typ)
			}
			out["enum"] = values
		}
		return out.with(defaults)
	case reflect.Int:
		return schema{"type": "integer"}.with(defaults)
	case reflect.Bool:
		return schema{"type": "boolean"}.with(defaults)
	default:
		t.Fatalf("a field of %s has no schema yet: add it here", typ)
		return nil
	}
}

// with lays a default under the schema; an empty one says nothing.
func (s schema) with(defaults any) schema {
	if defaults != nil && defaults != "" {
		s["default"] = defaults
	}
	return s
}

// object makes the schema of a struct. A key that no field has is an error in
// goldenarch, save in metadata, where Kubernetes has more than we use.
func (s sources) object(t *testing.T, typ reflect.Type, defaults any) schema {
	t.Helper()
	properties, required := schema{}, []string{}
	s.properties(t, typ, defaults, properties, &required)
	out := schema{"type": "object", "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	if typ.Name() != "ObjectMeta" {
		out["additionalProperties"] = false
	}
	return out
}

func (s sources) properties(t *testing.T, typ reflect.Type, defaults any, properties schema, required *[]string) {
	t.Helper()
	for field := range typ.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			s.properties(t, field.Type, defaults, properties, required)
			continue
		}
		below, _ := defaults.(map[string]any)
		property := s.schemaOf(t, field.Type, below[name])
		comment := s.of(t, typ).comments[typ.Name()+"."+field.Name]
		if field.Anonymous || comment == "" {
			comment = s.typeComment(t, field.Type)
		}
		if comment != "" {
			property["description"] = comment
		}
		properties[name] = property
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			*required = append(*required, name)
		}
	}
}

// typeComment is what a type of ours says of itself, for a field that says
// nothing.
func (s sources) typeComment(t *testing.T, typ reflect.Type) string {
	t.Helper()
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	if !strings.HasPrefix(typ.PkgPath(), "github.com/goldenarch/goldenarch/") {
		return ""
	}
	return s.of(t, typ).comments[typ.Name()]
}
