package admission

import (
	"encoding/json"

	kjson "sigs.k8s.io/json"
)

// decode reads JSON as the API server does: integers stay integers.
func decode(data json.RawMessage) (any, error) {
	var value any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &value); err != nil {
		return nil, err
	}
	return value, nil
}

// clone copies decoded JSON.
func clone(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(value))
		for key, v := range value {
			out[key] = clone(v)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, v := range value {
			out[i] = clone(v)
		}
		return out
	default:
		return value
	}
}

// lookup returns the value at a path of objects; nil if the path does not exist.
func lookup(tree any, path ...string) any {
	for _, key := range path {
		object, _ := tree.(map[string]any)
		tree = object[key]
	}
	return tree
}

// text returns the string at a path; "" if the path does not exist.
func text(tree any, path ...string) string {
	s, _ := lookup(tree, path...).(string)
	return s
}
