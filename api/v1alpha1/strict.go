package v1alpha1

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// decodeStrict reads decoded JSON into a type. encoding/json alone takes keys
// of any case and drops unknown ones; here each is an error that names the
// nearest known key.
func decodeStrict(object map[string]any, into any) error {
	var errs Errors
	checkValue(&errs, "", object, reflect.TypeOf(into).Elem())
	if len(errs) > 0 {
		return errs
	}
	data, err := json.Marshal(object)
	if err != nil {
		return fmt.Errorf("encode the document: %w", err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("decode the document: %w", err)
	}
	return nil
}

func checkValue(errs *Errors, path string, value any, t reflect.Type) {
	if value == nil { // null is the same as nothing
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		checkValue(errs, path, value, t.Elem())
	case reflect.Struct:
		if m, ok := value.(map[string]any); ok {
			checkStruct(errs, path, m, t)
			return
		}
		errs.add(path, "is %s, expected an object", describe(value))
	case reflect.Slice:
		list, ok := value.([]any)
		if !ok {
			errs.add(path, "is %s, expected a list", describe(value))
			return
		}
		for i, element := range list {
			if element == nil {
				errs.add(fmt.Sprintf("%s[%d]", path, i), "is null, expected a value")
				continue
			}
			checkValue(errs, fmt.Sprintf("%s[%d]", path, i), element, t.Elem())
		}
	case reflect.Map:
		m, ok := value.(map[string]any)
		if !ok {
			errs.add(path, "is %s, expected an object", describe(value))
			return
		}
		for _, key := range sortedKeys(m) {
			checkValue(errs, path+"["+key+"]", m[key], t.Elem())
		}
	case reflect.String:
		if _, ok := value.(string); !ok {
			errs.add(path, "is %s, expected a string: write it in quotes", describe(value))
		}
	case reflect.Int:
		if !isInteger(value) {
			errs.add(path, "is %s, expected a whole number", describe(value))
		}
	}
}

func checkStruct(errs *Errors, path string, m map[string]any, t reflect.Type) {
	fields := jsonFields(t)
	for _, key := range sortedKeys(m) {
		at := strings.TrimPrefix(path+"."+key, ".")
		field, known := fields[key]
		switch {
		case known:
			checkValue(errs, at, m[key], field)
		case t == reflect.TypeFor[ObjectMeta]():
			// Kubernetes' metadata has more fields than these kinds use.
		default:
			errs.add(at, "unknown field %q%s", key, didYouMean(key, sortedKeys(fields)))
		}
	}
}

// jsonFields returns the types of a struct's fields by their JSON names.
func jsonFields(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for f := range fieldsOf(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" {
			out[name] = f.Type
			continue
		}
		for inlined, inner := range jsonFields(f.Type) {
			out[inlined] = inner
		}
	}
	return out
}

func fieldsOf(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

// describe says what a decoded JSON value is.
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

func isInteger(value any) bool {
	switch v := value.(type) {
	case float64:
		return v == math.Trunc(v) && math.Abs(v) <= math.MaxInt32
	case int, int64:
		return true
	default:
		return false
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
