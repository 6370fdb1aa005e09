package kustomization

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// operation is an operation of a JSON patch (RFC 6902).
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// operations returns the JSON patch that turns one object into another. A JSON patch names
// an element of a list by its index, so a test operation checks the element first. If the
// base changes, the build fails, and does not change another element.
func operations(before, after *yaml.Node) ([]operation, error) {
	var trees [2]any
	for i, n := range []*yaml.Node{before, after} {
		data, err := yaml.NewRNode(n).MarshalJSON()
		if err == nil {
			err = json.Unmarshal(data, &trees[i])
		}
		if err != nil {
			return nil, fmt.Errorf("read what was built: %w", err)
		}
	}
	return difference("", trees[0], trees[1]), nil
}

func difference(path string, before, after any) []operation {
	if reflect.DeepEqual(before, after) {
		return nil
	}
	switch b := before.(type) {
	case map[string]any:
		if a, ok := after.(map[string]any); ok {
			return fieldDifference(path, b, a)
		}
	case []any:
		if a, ok := after.([]any); ok {
			if out, ok := elementDifference(path, b, a); ok {
				return out
			}
		}
	}
	return []operation{{"replace", path, after}}
}

func fieldDifference(path string, before, after map[string]any) []operation {
	all := maps.Clone(before)
	maps.Copy(all, after)
	var out []operation
	for _, key := range slices.Sorted(maps.Keys(all)) {
		at := path + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		b, had := before[key]
		a, has := after[key]
		switch {
		case !has:
			out = append(out, operation{Op: "remove", Path: at})
		case !had:
			out = append(out, operation{"add", at, a})
		default:
			out = append(out, difference(at, b, a)...)
		}
	}
	return out
}

// elementDifference compares two lists of elements with names. It supports changed
// elements, removed elements, and new elements at the end. It reports false for any other
// difference.
func elementDifference(path string, before, after []any) ([]operation, bool) {
	var out, removed []operation
	j := 0
	for i, b := range before {
		field, name := elementName(b)
		if name == "" {
			return nil, false
		}
		at := fmt.Sprintf("%s/%d", path, i)
		test := operation{"test", at + field, name}
		if j < len(after) {
			if _, other := elementName(after[j]); other == name {
				if changes := difference(at, b, after[j]); len(changes) > 0 {
					out = append(append(out, test), changes...)
				}
				j++
				continue
			}
		}
		removed = append([]operation{test, {Op: "remove", Path: at}}, removed...)
	}
	for _, fresh := range after[j:] {
		if _, name := elementName(fresh); name == "" || slices.ContainsFunc(before, func(b any) bool { _, other := elementName(b); return other == name }) {
			return nil, false
		}
		removed = append(removed, operation{"add", path + "/-", fresh})
	}
	return append(out, removed...), true
}

// elementName returns the name of an element, and the path of the field with the name.
func elementName(element any) (field, name string) {
	object, _ := element.(map[string]any)
	metadata, _ := object["metadata"].(map[string]any)
	if name, _ := metadata["name"].(string); name != "" {
		return "/metadata/name", name
	}
	name, _ = object["name"].(string)
	return "/name", name
}
