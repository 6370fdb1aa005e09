package shape

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
)

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
