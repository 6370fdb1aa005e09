package v1alpha1

import (
	"encoding/json"
	"reflect"
	"strings"

	kjson "sigs.k8s.io/json"

	"github.com/goldenarch/goldenarch/internal/shape"
)

// pickForeign decodes a value into a type of another project, as the API server decodes
// it. A field that the type does not have is an error.
func (e *Errors) pickForeign(path string, value any, t reflect.Type) (any, bool) {
	data, err := json.Marshal(value)
	if err != nil {
		e.add(path, "cannot be read: %s", err)
		return nil, false
	}
	into := reflect.New(t).Interface()
	faults := shape.Faults(path, data, into)
	for _, fault := range faults {
		e.add(fault.Path, "%s", fault.Text)
	}
	unknown, err := kjson.UnmarshalStrict(data, into)
	if err != nil && len(faults) == 0 {
		e.add(path, "%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	fits := len(faults) == 0 && err == nil
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
