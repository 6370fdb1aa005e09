package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
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
		at := fieldpath.Join(path, key)
		b, had := before[key]
		a, has := after[key]
		switch {
		case !had:
			out = append(out, change{at, absent{}, a})
		case !has:
			out = append(out, change{at, b, absent{}})
		default:
			out = append(out, changedFields(b, a, at)...)
		}
	}
	return out
}

func changedElements(before, after []any, path string) []change {
	names, others := elementNames(before), elementNames(after)
	if names == nil || others == nil { // the place is the name
		places := make([]string, max(len(before), len(after)))
		for i := range places {
			places[i] = strconv.Itoa(i)
		}
		names, others = places[:len(before)], places[:len(after)]
	}
	had, has := indices(names), indices(others)
	var out []change
	for i, b := range before {
		at := fieldpath.Element(path, i)
		if j, stays := has[names[i]]; stays {
			out = append(out, changedFields(b, after[j], at)...)
		} else {
			out = append(out, change{at, b, absent{}})
		}
	}
	for j, a := range after {
		if _, known := had[others[j]]; !known {
			out = append(out, change{fieldpath.Element(path, j), absent{}, a})
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

// change is a field that has another value after rendering.
type change struct {
	path          string
	before, after any
}

// absent is the value of a missing field.
type absent struct{}

// String returns the path, and the value before and after.
func (c change) String() string {
	return fmt.Sprintf("%s (%s -> %s)", c.path, shown(c.before), shown(c.after))
}

// longestValue is how many characters of a value a message shows.
const longestValue = 80

// shown returns a value as JSON, and shortens a long one.
func shown(value any) string {
	if _, ok := value.(absent); ok {
		return "not set"
	}
	var data strings.Builder
	encoder := json.NewEncoder(&data)
	encoder.SetEscapeHTML(false) // a person reads it, and each report escapes what it must
	if err := encoder.Encode(value); err != nil {
		return "another value"
	}
	text := strings.TrimSpace(data.String())
	if len(text) > longestValue {
		return strings.ToValidUTF8(text[:longestValue], "") + "…"
	}
	return text
}

// lines returns the changes of a CR as a finding shows them, without the records of goldenarch.
func (cr *CR) lines(changes []change) []finding.Change {
	value := func(v any) string {
		if _, ok := v.(absent); ok {
			return ""
		}
		return shown(v)
	}
	var out []finding.Change
	for _, one := range changes {
		for _, leaf := range one.leaves() {
			if !strings.Contains(leaf.path, "["+v1alpha1.Group+"/") {
				out = append(out, finding.Change{Path: fieldpath.Below(cr.path, leaf.path), Before: value(leaf.before), After: value(leaf.after)})
			}
		}
	}
	return out
}

// leaves returns the entries of a mapping that is not set or null, such as annotations, and any
// other change as it is.
func (c change) leaves() []change {
	all, ok := c.after.(map[string]any)
	if _, unset := c.before.(absent); !ok || !unset && c.before != nil {
		return []change{c}
	}
	var out []change
	for _, key := range slices.Sorted(maps.Keys(all)) {
		out = append(out, change{fieldpath.Join(c.path, key), absent{}, all[key]}.leaves()...)
	}
	return out
}

// isRetired reports whether a change only removes annotations that nothing reads any more.
func (c change) isRetired() bool {
	leaves := change{c.path, c.after, c.before}.leaves() // from nothing to what goes
	return len(leaves) > 0 && !slices.ContainsFunc(leaves, func(leaf change) bool {
		return !slices.ContainsFunc(hyperconverged.RetiredAnnotations, func(key string) bool {
			return strings.HasSuffix(leaf.path, ".annotations["+key+"]")
		})
	})
}
