package v1alpha1

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	kjson "sigs.k8s.io/json"

	"github.com/goldenarch/goldenarch/internal/spelling"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/shape"
)

// decodeStrict reads decoded JSON into a type. encoding/json alone accepts keys of any
// case and drops unknown ones. Here each of them is an error that names the nearest
// known key. The valid parts are read even if others are invalid, so that the caller
// can check their values as well.
func decodeStrict(object map[string]any, into any) Errors {
	var errs Errors
	right, _ := errs.pick("", object, reflect.TypeOf(into).Elem())
	if err := assign(right, reflect.ValueOf(into).Elem()); err != nil { // cannot happen: pick returns only values of the expected types
		errs.add("", "decode the document: %s", err)
	}
	return errs
}

// assign sets a value to what pick returned. It goes through the structs of this package,
// and leaves the rest to encoding/json, which prepares all types below a struct before it
// reads a first field: in a small run that took longer than all other decoding.
func assign(value any, into reflect.Value) error {
	t := into.Type()
	if t.Kind() == reflect.Pointer && isOwnStruct(t.Elem()) {
		if into.IsNil() {
			into.Set(reflect.New(t.Elem()))
		}
		return assign(value, into.Elem())
	}
	fields, isObject := value.(map[string]any)
	if !isObject || !isOwnStruct(t) {
		data, err := json.Marshal(value)
		if err != nil {
			return err
		}
		return json.Unmarshal(data, into.Addr().Interface())
	}
	for field, inner := range into.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		of, has := fields[name]
		if name == "" && field.Anonymous {
			of, has = value, true
		}
		if !has {
			continue
		}
		if err := assign(of, inner); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func isOwnStruct(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[Errors]().PkgPath()
}

// pick returns the parts of a value that fit the type, and false if no part fits. It
// adds the others to the errors.
func (e *Errors) pick(path string, value any, t reflect.Type) (any, bool) {
	if value == nil { // null is the same as nothing
		return nil, false
	}
	switch t.Kind() {
	case reflect.Pointer:
		return e.pick(path, value, t.Elem())
	case reflect.Struct, reflect.Map:
		if t.Kind() == reflect.Struct && !isOwnStruct(t) {
			return e.pickForeign(path, value, t)
		}
		if m, ok := value.(map[string]any); ok {
			return e.pickFields(path, m, t), true
		}
		e.add(path, "is %s, expected an object", shape.Describe(value))
	case reflect.Slice:
		if list, ok := value.([]any); ok {
			return e.pickElements(path, list, t.Elem())
		}
		e.add(path, "is %s, expected a list", shape.Describe(value))
	case reflect.String:
		if _, ok := value.(string); ok {
			return value, true
		}
		e.add(path, "is %s, expected a string%s", shape.Describe(value), quoteHint(value))
	case reflect.Int:
		if isInteger(value) {
			return value, true
		}
		e.add(path, "is %s, expected a whole number", shape.Describe(value))
	case reflect.Bool:
		if _, ok := value.(bool); ok {
			return value, true
		}
		e.add(path, "is %s, expected true or false", shape.Describe(value))
	default:
		e.add(path, "cannot be read") // a Go kind that no field here has
	}
	return nil, false
}

func (e *Errors) pickFields(path string, m map[string]any, t reflect.Type) map[string]any {
	var fields map[string]reflect.Type
	if t.Kind() == reflect.Struct {
		fields = shape.Fields(t)
	}
	right := map[string]any{}
	for _, key := range sortedKeys(m) {
		field, known := fields[key]
		switch {
		case t.Kind() == reflect.Map:
			field = t.Elem()
		case !known && t == reflect.TypeFor[ObjectMeta]():
			continue // Kubernetes' metadata has more fields than these kinds use
		case !known:
			e.add(fieldpath.Join(path, key), "unknown field %q%s", key, spelling.DidYouMean(key, sortedKeys(fields)))
			continue
		}
		if value, ok := e.pick(fieldpath.Join(path, key), m[key], field); ok {
			right[key] = value
		}
	}
	return right
}

// pickElements returns the whole list or nothing: without one element, the indexes of
// the others would be wrong.
func (e *Errors) pickElements(path string, list []any, t reflect.Type) (any, bool) {
	right := make([]any, 0, len(list))
	for i, element := range list {
		at := fieldpath.Element(path, i)
		if element == nil {
			e.add(at, "is null, expected a value")
		} else if value, ok := e.pick(at, element, t); ok {
			right = append(right, value)
		}
	}
	return right, len(right) == len(list)
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
	return slices.Sorted(maps.Keys(m))
}

// FieldError is one problem of a document.
type FieldError struct {
	Path string // of the field: spec.existing
	Text string // what is wrong, and what was expected
}

// Errors lists all problems of a document. Their order depends on the document alone:
// first values that cannot be read, by key, then invalid values, by field.
type Errors []FieldError

// Error returns all problems in one line.
func (e Errors) Error() string {
	parts := make([]string, len(e))
	for i, one := range e {
		parts[i] = strings.TrimPrefix(one.Path+": "+one.Text, ": ")
	}
	return strings.Join(parts, "; ")
}

func (e *Errors) add(path, format string, args ...any) {
	*e = append(*e, FieldError{Path: path, Text: fmt.Sprintf(format, args...)})
}

// with returns the errors, and those of the others that none of them explains. If a
// field cannot be read, errors about it, its parts, or the object that now lacks it are
// only consequences.
func (e Errors) with(others Errors) Errors {
	out := slices.Clone(e)
	for _, other := range others {
		if !slices.ContainsFunc(e, func(one FieldError) bool {
			return fieldpath.IsAt(one.Path, other.Path) || fieldpath.IsAt(other.Path, one.Path)
		}) {
			out = append(out, other)
		}
	}
	return out
}

// orNil returns the errors as an error, or nil if the list is empty.
func (e Errors) orNil() error {
	if len(e) == 0 {
		return nil
	}
	return e
}

// pickForeign decodes a value into a type of another project, as the API server decodes
// it. A field that the type does not have is an error.
func (e *Errors) pickForeign(path string, value any, t reflect.Type) (any, bool) {
	data, err := json.Marshal(value)
	if err != nil {
		e.add(path, "cannot be read: %s", err)
		return nil, false
	}
	misfits := shape.Faults(path, data, reflect.New(t).Interface())
	for _, one := range misfits {
		e.add(one.Path, "%s", one.Text)
	}
	unknown, err := kjson.UnmarshalStrict(data, reflect.New(t).Interface())
	if err != nil && len(misfits) == 0 {
		e.add(path, "%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	fits := len(misfits) == 0 && err == nil
	for _, one := range unknown {
		_, quoted, _ := strings.Cut(one.Error(), " field ")
		field := strings.Trim(quoted, `"`)
		if strings.HasSuffix(field, "metadata.creationTimestamp") {
			continue // tools that copy Kubernetes metadata write this field
		}
		e.add(fieldpath.Below(path, field), "unknown field %q", field)
	}
	return value, fits
}
