package check

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// changedFields returns the fields in which two decoded objects differ. A field that
// only one of them has counts as one field, whatever it contains. List elements with
// names are compared by name. Their paths are those in the first object, or in the
// second if only that one has them.
func changedFields(before, after any, path string) []change {
	if reflect.DeepEqual(before, after) {
		return nil
	}
	switch b := before.(type) {
	case map[string]any:
		if a, ok := after.(map[string]any); ok {
			return changedKeys(b, a, path)
		}
	case []any:
		if a, ok := after.([]any); ok {
			return changedElements(b, a, path)
		}
	}
	return []change{{path, before, after}}
}

func changedKeys(before, after map[string]any, path string) []change {
	all := maps.Clone(before)
	maps.Copy(all, after)
	var out []change
	for _, key := range slices.Sorted(maps.Keys(all)) {
		at := fieldPath(path, key)
		b, had := before[key]
		a, has := after[key]
		if had != has {
			out = append(out, change{at, valueOrAbsent(b, had), valueOrAbsent(a, has)})
			continue
		}
		out = append(out, changedFields(b, a, at)...)
	}
	return out
}

func changedElements(before, after []any, path string) []change {
	names, others := elementNames(before), elementNames(after)
	byName := names != nil && others != nil
	had, has := indices(names), indices(others)
	var out []change
	for i, b := range before {
		j := i
		if byName {
			var found bool
			if j, found = has[names[i]]; !found {
				j = len(after)
			}
		}
		at := fmt.Sprintf("%s[%d]", path, i)
		if j >= len(after) {
			out = append(out, change{at, b, absent{}})
			continue
		}
		out = append(out, changedFields(b, after[j], at)...)
	}
	for j, a := range after {
		isNew := j >= len(before)
		if byName {
			_, found := had[others[j]]
			isNew = !found
		}
		if isNew {
			out = append(out, change{fmt.Sprintf("%s[%d]", path, j), absent{}, a})
		}
	}
	return out
}

// elementNames returns the names of the elements of a list. It returns nil unless each
// element has a unique name.
func elementNames(list []any) []string {
	var out []string
	for _, element := range list {
		object, _ := element.(map[string]any)
		metadata, _ := object["metadata"].(map[string]any)
		name, ok := metadata["name"].(string)
		if !ok {
			return nil
		}
		out = append(out, name)
	}
	if len(indices(out)) < len(out) {
		return nil
	}
	return out
}

// indices returns the index of each name.
func indices(names []string) map[string]int {
	out := make(map[string]int, len(names))
	for i, name := range names {
		out[name] = i
	}
	return out
}

// fieldPath returns the path of a field below a path, as findings show it: a key that
// is not an identifier is in brackets.
func fieldPath(path, key string) string {
	for _, r := range key {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return path + "[" + key + "]"
		}
	}
	if path == "" {
		return key
	}
	return path + "." + key
}
