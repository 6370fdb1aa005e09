package v1alpha1

import (
	"fmt"
	"reflect"
)

// internal/shape has words like these for the operators' types. This package cannot import
// it, because other programs import this one, and it does not export the words, because no
// user of the kinds needs them. The messages differ, too: these are about one field of a
// configuration, and those about a document.

// describe names the type of a decoded JSON value.
func describe(value any) string {
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

// quoteHint says how to write a bool or a number as a string: YAML reads 1.20 without
// quotes as 1.2.
func quoteHint(value any) string {
	switch value.(type) {
	case []any, map[string]any:
		return ""
	default:
		return ": write it in quotes"
	}
}

// expected returns what a user writes for a Go kind.
func expected(kind reflect.Kind) string {
	switch {
	case kind == reflect.String:
		return "a string"
	case kind == reflect.Bool:
		return "true or false"
	case kind == reflect.Slice:
		return "a list"
	case kind >= reflect.Int && kind <= reflect.Uint64:
		return "a whole number"
	case kind == reflect.Float32 || kind == reflect.Float64:
		return "a number"
	default:
		return "an object"
	}
}
