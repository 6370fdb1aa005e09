package v1alpha1

import (
	"encoding/json"
	"reflect"
	"strings"

	kjson "sigs.k8s.io/json"

	"github.com/goldenarch/goldenarch/internal/fieldpath"
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
