package shape

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// Fault is a value that does not fit.
type Fault struct {
	Path string // of the value: spec.tags[2].name, metadata.labels[a.b/c]
	Text string // the actual and the expected kind: is a list, expected an object
	Do   string // the fix
	// Value is the actual value; nil for an object or a list.
	Value any
}

// Faults returns the values of a document that do not fit the Go type to decode it into.
// The values are below the given path, in the order of the keys. Unknown keys and null are
// not faults. Faults returns nil for a document that is not valid JSON.
func Faults(path string, data []byte, into any) []Fault {
	if value, err := decode(data); err == nil {
		return faults(path, value, reflect.TypeOf(into))
	}
	return nil
}

// decode decodes a document with its numbers as written, for messages.
func decode(data []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

func faults(path string, value any, t reflect.Type) []Fault {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if value == nil || t == reflect.TypeFor[json.RawMessage]() {
		return nil
	}
	if decodesItself(t) {
		return leaf(path, value, t)
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		if _, ok := value.(map[string]any); !ok {
			return []Fault{wrong(path, value, kindObject)}
		}
	case reflect.Slice:
		if _, ok := value.([]any); !ok {
			return leaf(path, value, t) // bytes are a string
		}
	default:
		return leaf(path, value, t)
	}
	return ofParts(path, value, t, faults)
}

// ofParts returns the faults of the parts of an object or a list that the type knows, in order.
func ofParts(path string, value any, t reflect.Type, of func(path string, value any, t reflect.Type) []Fault) []Fault {
	var out []Fault
	switch v := value.(type) {
	case []any:
		for i, element := range v {
			if t.Kind() == reflect.Slice {
				out = append(out, of(fieldpath.Element(path, i), element, t.Elem())...)
			}
		}
	case map[string]any:
		var fields map[string]reflect.Type
		if t.Kind() == reflect.Struct {
			fields = Fields(t)
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if field, known := fields[key]; known {
				out = append(out, of(fieldpath.Below(path, key), v[key], field)...)
			} else if t.Kind() == reflect.Map {
				out = append(out, of(path+"["+key+"]", v[key], t.Elem())...)
			}
		}
	}
	return out
}

// leaf asks the decoder itself whether a value fits.
func leaf(path string, value any, t reflect.Type) []Fault {
	data, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	err = json.Unmarshal(data, reflect.New(t).Interface())
	var mismatch *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &mismatch):
		return []Fault{wrong(path, value, kindOf(mismatch.Type))}
	default:
		text := fmt.Sprintf("is %s: %s", Describe(value), strings.TrimPrefix(err.Error(), "json: "))
		return []Fault{{Path: path, Text: text, Do: "correct the value", Value: scalar(value)}}
	}
}

func wrong(path string, value any, want kind) Fault {
	return Fault{Path: path, Text: fmt.Sprintf("is %s, expected %s", Describe(value), want), Do: remedy(value, want), Value: scalar(value)}
}

func scalar(value any) any {
	switch v := value.(type) {
	case string, bool:
		return v
	case json.Number:
		return v.String()
	default:
		return nil
	}
}

// kind is the expected kind of a value, in the user's words.
type kind string

// The kinds of JSON and YAML.
const (
	kindObject kind = "an object"
	kindList   kind = "a list"
	kindString kind = "a string"
	kindNumber kind = "a number"
	kindWhole  kind = "a whole number"
	kindBool   kind = "true or false"
)

// remedy returns the fix for the most common faults: YAML reads true and 1.20 as a bool and
// a number, and "true" as a string. The original form of a number is not known here: 1.20
// is 1.2.
func remedy(value any, want kind) string {
	switch v := value.(type) {
	case json.Number:
		if want == kindString {
			return "write it in quotes"
		}
	case bool:
		if want == kindString {
			return fmt.Sprintf("write it in quotes: \"%v\"", v)
		}
	case string:
		if want == kindBool && (v == "true" || v == "false") {
			return "write it without quotes: " + v
		}
	}
	return "correct the value"
}

// Describe returns the kind of a decoded value, for messages.
func Describe(value any) string {
	switch v := value.(type) {
	case bool:
		return fmt.Sprintf("the bool %v", v)
	case string:
		return fmt.Sprintf("the string %q", v)
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	default:
		return fmt.Sprintf("the number %v", v)
	}
}

func kindOf(t reflect.Type) kind {
	switch t.Kind() {
	case reflect.String:
		return kindString
	case reflect.Bool:
		return kindBool
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return kindString
		}
		return kindList
	case reflect.Float32, reflect.Float64:
		return kindNumber
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return kindWhole
	default:
		return kindObject
	}
}

// decodesItself reports whether a type has its own form in JSON, as a quantity or a time
// has.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// Fields returns the types of a struct's fields by their names in JSON.
func Fields(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		embedded := field.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		switch {
		case name == "-":
		case name != "":
			out[name] = field.Type
		case field.Anonymous && embedded.Kind() == reflect.Struct:
			for inner, of := range Fields(embedded) {
				if _, shadowed := out[inner]; !shadowed {
					out[inner] = of
				}
			}
		case field.IsExported():
			out[field.Name] = field.Type
		}
	}
	return out
}
