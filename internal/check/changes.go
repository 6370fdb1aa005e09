package check

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// changedFields returns the fields in which two decoded objects differ. A
// field that one of them lacks counts as one, whatever is in it. Elements of a
// list that have names are compared by name; their paths are those of the first
// object, and of the second where that has them alone.
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

// elementNames returns the names of the elements of a list, nil if they do not
// all have one of their own.
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

// indices returns where each name is.
func indices(names []string) map[string]int {
	out := make(map[string]int, len(names))
	for i, name := range names {
		out[name] = i
	}
	return out
}

// fieldPath names a field below a path, as findings do: a key that is no
// identifier stands in brackets.
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
