package edit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
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
	merge      *yaml.Node // nil for a JSON patch alone
	operations []operation
	tested     map[string]bool // the elements whose name has a test
	err        error
}

// differenceOf returns the difference of the changes of an object, with a merge patch or without.
func differenceOf(changes []change, merges bool) (difference, error) {
	d := difference{tested: map[string]bool{}}
	if merges {
		d.merge = yamlnode.NewMapping()
	}
	for _, c := range changes {
		d.put(c)
	}
	return d, d.err
}

func (d *difference) put(c change) {
	at, inElement := pointerTo(c.path), false
	for i, s := range c.path {
		if element := pointerTo(c.path[:i+1]); s.element {
			if inElement = true; !d.tested[element] {
				d.tested[element] = true
				d.add("test", element+s.nameField, yamlnode.NewScalar(s.name, yaml.NodeTagString, 0))
			}
		}
	}
	merges := d.merge != nil && !inElement
	switch {
	case c.after == nil:
		d.add("test", at, c.before)
		d.operations = append(d.operations, operation{Op: "remove", Path: at})
	case merges && c.after.Kind == yaml.ScalarNode && !yamlnode.IsNull(c.after) && (c.before == nil || c.before.Kind == yaml.ScalarNode):
		d.set(c.path, c.after)
	case c.before != nil && !yamlnode.IsNull(c.before):
		d.replace(at, c.before, c.after)
	case merges && c.after.Kind == yaml.MappingNode:
		d.set(c.path, yamlnode.NewMapping())
		for _, inner := range changesBelow(c.path, nil, c.after) {
			d.put(inner)
		}
	default:
		d.add("test", at, yamlnode.NewScalar("null", yaml.NodeTagNull, 0)) // kustomize's library accepts null where there is no field (evanphx/json-patch, Patch.test)
		d.add("add", at, c.after)
	}
}

// set sets a value in the merge patch.
func (d *difference) set(path []step, value *yaml.Node) {
	n := d.merge
	for _, s := range path[:len(path)-1] {
		n = yamlnode.Mapping(n, s.key)
	}
	yamlnode.Put(n, path[len(path)-1].key, yamlnode.Unplaced(value))
}

// replace adds the operations for a value that another one replaces. Elements without names may
// depend on each other: any of the nodeSelectorTerms is enough for a node. So a test
// operation checks all of such a list, and the build fails if the base gets another one.
func (d *difference) replace(at string, before, after *yaml.Node) {
	d.add("test", at, before)
	isScalar := func(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode }
	if before.Kind != yaml.SequenceNode || after.Kind != yaml.SequenceNode || len(before.Content) != len(after.Content) ||
		slices.ContainsFunc(slices.Concat(before.Content, after.Content), isScalar) {
		d.add("replace", at, after)
		return
	}
	for i, element := range after.Content {
		if !yamlnode.Same(before.Content[i], element) {
			d.add("replace", at+"/"+strconv.Itoa(i), element)
		}
	}
}

// add adds an operation with a value.
func (d *difference) add(op, at string, value *yaml.Node) {
	data, err := yamlnode.JSON(value)
	if err != nil {
		d.err = err
	}
	d.operations = append(d.operations, operation{op, at, data})
}

// patches returns the texts of the patches of an object.
func (d difference) patches(of resid.ResId) ([][]byte, error) {
	var contents [][]byte
	if d.merge != nil && len(d.merge.Content) > 0 {
		yamlnode.SetString(d.merge, "apiVersion", of.ApiVersion(), 0)
		yamlnode.SetString(d.merge, "kind", of.Kind, 0)
		yamlnode.SetString(yamlnode.Mapping(d.merge, "metadata"), "name", of.Name, 0)
		data, err := yamlnode.JSON(d.merge)
		if err != nil {
			return nil, err
		}
		contents = append(contents, data)
	}
	if len(d.operations) > 0 {
		data, err := json.Marshal(d.operations)
		if err != nil {
			return nil, fmt.Errorf("encode a JSON patch: %w", err)
		}
		contents = append(contents, data)
	}
	for i, data := range contents {
		text, err := k8syaml.JSONToYAML(data)
		if err != nil {
			return nil, fmt.Errorf("encode a patch: %w", err)
		}
		contents[i] = append([]byte(patchHead), text...)
	}
	return contents, nil
}
