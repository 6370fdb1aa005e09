package v1alpha1

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	kjson "sigs.k8s.io/json"
)

// pickForeign decodes a value into a type of another project, as the API server decodes
// it. A field that the type does not have is an error.
func (e *Errors) pickForeign(path string, value any, t reflect.Type) (any, bool) {
	data, err := json.Marshal(value)
	if err != nil {
		e.add(path, "cannot be read: %s", err)
		return nil, false
	}
	misfits := misfitsOf(path, value, t)
	*e = append(*e, misfits...)
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
		e.add(join(path, field), "unknown field %q", field)
	}
	return value, fits
}

// misfitsOf returns the parts of a value that the decoder of a type rejects, in the words
// of YAML: the decoder reports only the first one, and names Go types. Faults of
// internal/shape does the same for the operators' types; words.go says why there are two.
func misfitsOf(path string, value any, t reflect.Type) Errors {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var errs Errors
	object, isObject := value.(map[string]any)
	list, isList := value.([]any)
	switch {
	case value == nil:
	case decodesItself(t):
		errs.addMisfit(path, value, t)
	case isObject && t.Kind() == reflect.Struct:
		fields := jsonFields(t)
		for _, key := range sortedKeys(object) {
			if field, known := fields[key]; known {
				errs = append(errs, misfitsOf(join(path, key), object[key], field)...)
			}
		}
	case isObject && t.Kind() == reflect.Map:
		for _, key := range sortedKeys(object) {
			errs = append(errs, misfitsOf(path+"["+key+"]", object[key], t.Elem())...)
		}
	case isList && t.Kind() == reflect.Slice:
		for i, element := range list {
			errs = append(errs, misfitsOf(fmt.Sprintf("%s[%d]", path, i), element, t.Elem())...)
		}
	default:
		errs.addMisfit(path, value, t)
	}
	return errs
}

// addMisfit adds an error if the decoder of a type rejects a value.
func (e *Errors) addMisfit(path string, value any, t reflect.Type) {
	data, err := json.Marshal(value)
	if err != nil {
		return // pickForeign reports it
	}
	err = json.Unmarshal(data, reflect.New(t).Interface())
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		e.add(path, "is %s, expected %s", describe(value), expected(mismatch.Type.Kind()))
	} else if err != nil {
		e.add(path, "is %s: %s", describe(value), strings.TrimPrefix(err.Error(), "json: "))
	}
}

// decodesItself reports whether a type has its own form in JSON, as a quantity has.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
