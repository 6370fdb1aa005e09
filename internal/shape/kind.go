package shape

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// Kind is the expected kind of a value, in the user's words.
type Kind string

// The kinds of JSON and YAML.
const (
	Object Kind = "an object"
	List   Kind = "a list"
	String Kind = "a string"
	Number Kind = "a number"
	Whole  Kind = "a whole number"
	Bool   Kind = "true or false"
)

// remedy returns the fix for the most common faults: YAML reads true and 1.20 as a bool and
// a number, and "true" as a string. The original form of a number is not known here: 1.20
// is 1.2.
func remedy(value any, want Kind) string {
	switch v := value.(type) {
	case json.Number:
		if want == String {
			return "write it in quotes"
		}
	case bool:
		if want == String {
			return fmt.Sprintf("write it in quotes: \"%v\"", v)
		}
	case string:
		if want == Bool && (v == "true" || v == "false") {
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

func kindOf(t reflect.Type) Kind {
	switch t.Kind() {
	case reflect.String:
		return String
	case reflect.Bool:
		return Bool
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return String
		}
		return List
	case reflect.Float32, reflect.Float64:
		return Number
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return Whole
	default:
		return Object
	}
}
