package expansion

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Object is a Kubernetes object as decoded JSON.
type Object map[string]any

// NewObject turns typed parts, by key, into an object. It removes the empty metadata,
// status and resources that typed encoding leaves.
//
// It panics on parts that JSON cannot represent, such as channels. The types of CDI and
// decoded JSON contain none, for any CR (TestNewObjectOfAnySpec).
func NewObject(parts map[string]any) Object {
	data, err := json.Marshal(parts)
	if err != nil {
		panic(fmt.Sprintf("encode the parts of an object: %v", err))
	}
	var o Object
	if err := json.Unmarshal(data, &o); err != nil {
		panic(fmt.Sprintf("decode the parts of an object: %v", err))
	}
	dropEmpty(o, "metadata", "labels")
	dropEmpty(o, "metadata", "annotations")
	dropEmpty(o, "spec", "template", "metadata")
	dropEmpty(o, "spec", "template", "status")
	dropEmpty(o, "spec", "template", "spec", "storage", "resources")
	dropEmpty(o, "spec", "template", "spec", "pvc", "resources")
	return o
}

// dropEmpty removes an empty object or a null.
func dropEmpty(o map[string]any, path ...string) {
	for _, key := range path[:len(path)-1] {
		child, ok := o[key].(map[string]any)
		if !ok {
			return
		}
		o = child
	}
	last := path[len(path)-1]
	if m, ok := o[last].(map[string]any); o[last] == nil || ok && len(m) == 0 {
		delete(o, last)
	}
}

// Namespace returns the object's namespace, "" if it has none.
func (o Object) Namespace() string { return o.Text("metadata", "namespace") }

// Name returns the object's name, "" if it has none.
func (o Object) Name() string { return o.Text("metadata", "name") }

// Kind returns the object's kind, "" if it has none.
func (o Object) Kind() string { return o.Text("kind") }

// Child returns the object at a path; nil if there is none.
func (o Object) Child(path ...string) Object {
	for _, key := range path {
		child, _ := o[key].(map[string]any)
		o = child
	}
	return o
}

// Text returns the text at a path; "" if there is none.
func (o Object) Text(path ...string) string {
	s, _ := o.Child(path[:len(path)-1]...)[path[len(path)-1]].(string)
	return s
}

// List returns the objects of the list at a path, without its other elements.
func (o Object) List(path ...string) []Object {
	items, _ := o.Child(path[:len(path)-1]...)[path[len(path)-1]].([]any)
	var out []Object
	for _, item := range items {
		if one, ok := item.(map[string]any); ok {
			out = append(out, one)
		}
	}
	return out
}

// SortObjects sorts objects in place by namespace and name, bytewise.
func SortObjects(list []Object) []Object {
	slices.SortFunc(list, func(a, b Object) int { return CompareNames(a.Namespace(), a.Name(), b.Namespace(), b.Name()) })
	return list
}
