package definition

import (
	"reflect"
	"slices"
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
	case reflect.Interface:
		return schema{} // any value
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
			if len(values) == 0 && strings.HasSuffix(typ.PkgPath(), "/v1alpha1") {
				t.Errorf("%s has no constants: what may be written?", typ)
			}
			if len(values) > 0 && len(values) < manyValues && slices.Contains(whole, strings.TrimPrefix(typ.PkgPath(), module)) {
				out["enum"] = values
			}
		}
		return out.with(defaults)
	case reflect.Int, reflect.Int64:
		return schema{"type": "integer"}.with(defaults)
	case reflect.Bool:
		return schema{"type": "boolean"}.with(defaults)
	default:
		t.Fatalf("a field of %s has no schema yet: add it here", typ)
		return nil
	}
}

// whole are the packages whose types have all their values as constants.
var whole = []string{"/api/v1alpha1", "/internal/finding", "/internal/machine", "/internal/engine/check"}

// manyValues is a number of constants that a schema does not list, such as that of the ids of
// findings.
const manyValues = 50

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
		switch {
		case name == "-", !field.IsExported():
			continue
		case name == "" && field.Anonymous:
			s.properties(t, field.Type, defaults, properties, required)
			continue
		case name == "":
			t.Fatalf("field %s of %s has no name in JSON", field.Name, typ)
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
		isOptional := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
		if !isOptional && mayBeNull(typ, field.Type) {
			property["type"] = []any{property["type"], "null"}
		}
		properties[name] = property
		if !isOptional {
			*required = append(*required, name)
		}
	}
}

// mayBeNull reports whether a field that is always there can be null: a pointer, and a list or
// map of a prediction, which has none if the operators stop before that.
func mayBeNull(of, field reflect.Type) bool {
	switch field.Kind() {
	case reflect.Pointer:
		return true
	case reflect.Slice, reflect.Map:
		return strings.HasPrefix(of.PkgPath(), module+"/internal/operators/")
	default:
		return false
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
