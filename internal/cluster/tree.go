package cluster

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// tree reads decoded JSON. If a path does not exist or leads to null, it returns the
// zero value. If the value has another type, it records that as an error of the whole
// object: ignoring it could select a default that nobody wants.
type tree struct {
	value map[string]any
	path  string
	wrong *error // shared by all parts of an object
}

func newTree(value map[string]any) tree { return tree{value: value, wrong: new(error)} }

// err returns the first value that had a wrong type.
func (t tree) err() error { return *t.wrong }

// lenient returns the same tree with an error of its own that nobody reads. Use it for
// hints.
func (t tree) lenient() tree { return tree{t.value, t.path, new(error)} }

func (t tree) text(path ...string) string {
	value, at := t.get(path...)
	return as[string](t, value, at, "a string")
}

func (t tree) child(path ...string) tree {
	value, at := t.get(path...)
	return tree{as[map[string]any](t, value, at, "an object"), at, t.wrong}
}

func (t tree) list(path ...string) []tree {
	values, at := t.values(path...)
	out := make([]tree, len(values))
	for i, value := range values {
		at := fieldpath.Element(at, i)
		out[i] = tree{as[map[string]any](t, value, at, "an object"), at, t.wrong}
	}
	return out
}

func (t tree) texts(path ...string) []string {
	values, at := t.values(path...)
	out := make([]string, len(values))
	for i, value := range values {
		out[i] = as[string](t, value, fieldpath.Element(at, i), "a string")
	}
	return out
}

// labels returns a map of strings that the caller may change. A label without a value
// ("node-role.kubernetes.io/worker:") exists with the value "".
func (t tree) labels(path ...string) map[string]string {
	out := map[string]string{}
	m := t.child(path...)
	for _, key := range slices.Sorted(maps.Keys(m.value)) {
		out[key] = as[string](t, m.value[key], m.path+"["+key+"]", "a string: quote it")
	}
	return out
}

func (t tree) values(path ...string) (values []any, at string) {
	value, at := t.get(path...)
	return as[[]any](t, value, at, "a list"), at
}

// get returns the value at a path, and the path from the root of the object.
func (t tree) get(path ...string) (value any, at string) {
	parent := t
	for _, key := range path[:len(path)-1] {
		parent = parent.child(key)
	}
	last := path[len(path)-1]
	return parent.value[last], fieldpath.Below(parent.path, last)
}

func as[T any](t tree, value any, at, expected string) T {
	out, ok := value.(T)
	if !ok && value != nil && *t.wrong == nil {
		*t.wrong = fmt.Errorf("%s is %v, expected %s", at, value, expected)
	}
	return out
}
