package edit

import (
	"bytes"
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
	Op   string `json:"op"`
	Path string `json:"path"`
	// Value is the JSON of the value; nil for an operation without one.
	Value json.RawMessage `json:"value,omitempty"`
}

// difference is what turns one object into another: first a merge patch, then a JSON patch.
//
// The merge patch has mappings and scalars only. kustomize merges mappings, so what the
// base gets later in them stays. It would replace a list as a whole: it has no schema of
// custom resources, and nodeSelectorTerms is atomic.
//
// The JSON patch has the rest. Each operation follows a test of what was at its place, and
// of the name of the element around it, or of the whole list if its elements have no names.
// So the build fails if the base changes there.
type difference struct {
	merge map[string]any
	json  []operation
}

// differenceOf returns what turns one object into another, with a merge patch or without.
func differenceOf(before, after *yaml.Node, merges bool) (difference, error) {
	b, err := treeOf(before)
	if err != nil {
		return difference{}, err
	}
	a, err := treeOf(after)
	if err != nil {
		return difference{}, err
	}
	d := differ{}
	merge := d.fields("", b, a, merges)
	return difference{merge: merge, json: d.operations}, nil
}

// treeOf returns the fields of a built object. Numbers keep their text.
func treeOf(n *yaml.Node) (map[string]any, error) {
	data, err := yaml.NewRNode(n).MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("read what was built: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	out := map[string]any{}
	if err := decoder.Decode(&out); err != nil {
		return nil, fmt.Errorf("read what was built: %w", err)
	}
	return out, nil
}

// differ collects the operations of a JSON patch.
type differ struct{ operations []operation }

func (d *differ) add(op, path string, value any) {
	d.operations = append(d.operations, with(op, path, value))
}

// with returns an operation with a value.
func with(op, path string, value any) operation {
	data, _ := json.Marshal(value) //nolint:errchkjson // the value was read from JSON
	return operation{Op: op, Path: path, Value: data}
}

// removal returns the operations that remove a value.
func removal(path string, value any) []operation {
	return []operation{with("test", path, value), {Op: "remove", Path: path}}
}

// change sets a value where another one was.
func (d *differ) change(path string, before, after any) {
	d.add("test", path, before)
	d.add("replace", path, after)
}

// fields returns the part of the difference of two mappings that a merge patch can have,
// and adds the operations for the rest.
func (d *differ) fields(path string, before, after map[string]any, merges bool) map[string]any {
	all := map[string]any{}
	maps.Copy(all, before)
	maps.Copy(all, after)
	merge := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		at := pointer(path, key)
		b, had := before[key]
		a, has := after[key]
		switch bm, am := asMapping(b), asMapping(a); {
		case has && reflect.DeepEqual(b, a) && (a != nil || had):
		case at == "/metadata/annotations" && !isScalar(b) && !isScalar(a):
			// Where patches apply, kustomize has annotations of its own there: a test of all
			// annotations, or that there are none, would fail.
			if value := d.fields(at, bm, am, merges); len(value) > 0 {
				merge[key] = value
			}
		case !has:
			d.operations = append(d.operations, removal(at, b)...)
		case b == nil:
			if value, ok := d.created(at, a, merges); ok {
				merge[key] = value
			}
		case bm != nil && am != nil:
			if value := d.fields(at, bm, am, merges); len(value) > 0 {
				merge[key] = value
			}
		case isList(b) && isList(a):
			d.elements(at, asList(b), asList(a))
		case merges && isScalar(b) && isScalar(a):
			merge[key] = a
		default:
			d.change(at, b, a)
		}
	}
	return merge
}

// created returns the part of a new value that a merge patch can have, and adds the
// operations for the lists in it.
func (d *differ) created(path string, value any, merges bool) (any, bool) {
	fields := asMapping(value)
	switch {
	case merges && isScalar(value):
		return value, true
	case !merges || fields == nil:
		d.add("test", path, nil) // kustomize's library accepts null where there is no field (evanphx/json-patch, Patch.test)
		d.add("add", path, value)
		return nil, false
	}
	merge := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if inner, ok := d.created(pointer(path, key), fields[key], merges); ok {
			merge[key] = inner
		}
	}
	return merge, true
}

// elements adds the operations for two lists. A JSON patch names an element by its index,
// so a test operation checks the element first by its name. Elements without names may
// depend on each other: any of the nodeSelectorTerms is enough for a node. So a test
// operation checks all of such a list, and the build fails if the base gets another one.
func (d *differ) elements(path string, before, after []any) {
	switch {
	case d.named(path, before, after):
	case len(before) == len(after) && !slices.ContainsFunc(slices.Concat(before, after), isScalar):
		d.add("test", path, before)
		for i := range before {
			if !reflect.DeepEqual(before[i], after[i]) {
				d.add("replace", fmt.Sprintf("%s/%d", path, i), after[i])
			}
		}
	default:
		d.change(path, before, after)
	}
}

// named adds the operations for two lists of elements with the same names. It reports false for others.
func (d *differ) named(path string, before, after []any) bool {
	names, ok := namesOf(before)
	if others, _ := namesOf(after); !ok || !slices.Equal(names, others) {
		return false
	}
	for i, b := range before {
		at := fmt.Sprintf("%s/%d", path, i)
		field, name := elementName(b)
		one := differ{[]operation{with("test", at+field, name)}}
		if one.fields(at, asMapping(b), asMapping(after[i]), false); len(one.operations) > 1 {
			d.operations = append(d.operations, one.operations...)
		}
	}
	return true
}

// namesOf returns the names of elements, and whether each has one of its own.
func namesOf(list []any) ([]string, bool) {
	var out []string
	for _, element := range list {
		_, name := elementName(element)
		if name == "" || slices.Contains(out, name) {
			return nil, false
		}
		out = append(out, name)
	}
	return out, true
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

// pointer returns the path of a field (RFC 6901).
func pointer(path, key string) string {
	return path + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

func asMapping(value any) map[string]any {
	m, _ := value.(map[string]any)
	return m
}

func asList(value any) []any {
	l, _ := value.([]any)
	return l
}

func isList(value any) bool {
	_, ok := value.([]any)
	return ok
}

// isScalar reports whether a value is neither a mapping, nor a list, nor null.
func isScalar(value any) bool { return value != nil && !isList(value) && asMapping(value) == nil }
