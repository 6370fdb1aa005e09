package admission

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	kjson "sigs.k8s.io/json"
)

// operation is one operation of a JSON patch (RFC 6902).
type operation struct {
	op    string // "add", "replace" or "remove"
	path  []string
	value any
}

// patch is the answer of a mutating webhook.
type patch []operation

// apply changes the object. The errors are those of the API server's library,
// evanphx/json-patch.
func (p patch) apply(object map[string]any) error {
	for _, o := range p {
		if err := o.apply(object); err != nil {
			return err
		}
	}
	return nil
}

func (o operation) apply(object map[string]any) error {
	last := len(o.path) - 1
	parent, ok := parentOf(object, o.path[:last])
	if !ok {
		path := o.pointer()
		if o.op != "replace" { // the library quotes the path only for other operations
			path = `"` + path + `"`
		}
		return fmt.Errorf("%s operation does not apply: doc is missing path: %s: missing value", o.op, path)
	}
	key := o.path[last]
	_, there := parent[key]
	switch {
	case o.op == "remove":
		delete(parent, key)
	case o.op == "replace" && !there:
		return fmt.Errorf("replace operation does not apply: doc is missing key: %s: missing value", o.pointer())
	default:
		parent[key] = runtime.DeepCopyJSONValue(o.value)
	}
	return nil
}

// parentOf returns the object at the parent of a path, through objects and lists.
func parentOf(tree any, path []string) (map[string]any, bool) {
	for _, step := range path {
		switch at := tree.(type) {
		case map[string]any:
			tree = at[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				return nil, false
			}
			tree = at[i]
		default:
			return nil, false
		}
	}
	object, ok := tree.(map[string]any)
	return object, ok
}

// pointer writes the path as RFC 6901 does.
func (o operation) pointer() string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, step := range o.path {
		b.WriteString("/" + escape.Replace(step))
	}
	return b.String()
}

// decode reads JSON as the API server does: integers stay integers.
func decode(data json.RawMessage) (any, error) {
	var value any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &value); err != nil {
		return nil, err
	}
	return value, nil
}

// encode writes decoded JSON.
func encode(value any) []byte {
	data, _ := json.Marshal(value) // decoded JSON can always be written
	return data
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
