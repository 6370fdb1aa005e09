package expansion

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
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
func (o Object) Namespace() string { return o.meta("namespace") }

// Name returns the object's name, "" if it has none.
func (o Object) Name() string { return o.meta("name") }

func (o Object) meta(key string) string {
	metadata, _ := o["metadata"].(map[string]any)
	s, _ := metadata[key].(string)
	return s
}

// SortObjects sorts objects in place by namespace and name, bytewise.
func SortObjects(list []Object) []Object {
	slices.SortFunc(list, func(a, b Object) int {
		return strings.Compare(a.Namespace()+"/"+a.Name(), b.Namespace()+"/"+b.Name())
	})
	return list
}
