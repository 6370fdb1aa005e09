package main

import "fmt"

// kept are the keywords that goldenarch reads; the rest of known is left out. A
// keyword that is in neither list fails, because it may change what is pruned.
var (
	kept = map[string]bool{
		"type": true, "nullable": true, "default": true, "required": true, "enum": true, "pattern": true,
		"minLength": true, "maxLength": true, "maxItems": true, "minimum": true,
		"x-kubernetes-int-or-string": true, "x-kubernetes-list-type": true, "x-kubernetes-list-map-keys": true,
	}
	left = map[string]bool{
		"description": true, "format": true, "anyOf": true, "x-kubernetes-map-type": true, "x-kubernetes-validations": true,
	}
)

// reduced returns a schema with the keywords that goldenarch reads.
func reduced(path string, schema map[string]any) (map[string]any, error) {
	out := map[string]any{}
	for keyword, value := range schema {
		var err error
		switch {
		case keyword == "properties":
			properties := map[string]any{}
			below, _ := value.(map[string]any)
			for name, property := range below {
				if properties[name], err = reducedAt(path+"."+name, property); err != nil {
					return nil, err
				}
			}
			out[keyword] = properties
		case keyword == "items", keyword == "additionalProperties":
			if out[keyword], err = reducedAt(path+"[]", value); err != nil {
				return nil, err
			}
		case kept[keyword]:
			if keyword == "x-kubernetes-list-type" && value == "atomic" {
				continue // says nothing about what is admitted
			}
			out[keyword] = value
		case left[keyword]:
		default:
			return nil, fmt.Errorf("%s: the keyword %q is not known", path, keyword)
		}
	}
	return out, nil
}

func reducedAt(path string, value any) (map[string]any, error) {
	schema, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s: expected a schema, got %v", path, value)
	}
	return reduced(path, schema)
}
