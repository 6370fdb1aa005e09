package pipeline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/yamlout"
)

// object is a Kubernetes object of the input: an item, or an element of an
// item that is a List. Wrappers of other kinds can be opened the same way.
type object struct {
	item *yaml.RNode // the item that holds it
	node *yaml.RNode // the object itself
	path string      // of the object in the item: "" or "items[2]"
	at   finding.Object
}

// objects returns the objects of the items, Lists opened. A List without an end
// stays as it is.
func objects(items []*yaml.RNode) []object {
	var out []object
	for _, item := range items {
		at := refer(item)
		at.File, at.Index = place(item)
		o := object{item: item, node: item, at: at}
		if !ends(item.YNode()) {
			out = append(out, o)
			continue
		}
		out = append(out, open(o)...)
	}
	return out
}

// open returns what a List holds, and any other object as it is. The elements
// of a NodeList and the like have no kind of their own.
func open(o object) []object {
	kind, isList := elementKind(o.at.Kind)
	list := listOf(o.node.YNode())
	if !isList || list == nil {
		return []object{o}
	}
	var out []object
	for i, element := range list.Content {
		element = target(element)
		if element.Kind != yaml.MappingNode {
			continue
		}
		node := yaml.NewRNode(element)
		at := refer(node)
		at.File, at.Index = o.at.File, o.at.Index
		if at.Kind == "" {
			at.Kind, at.APIVersion = kind, o.at.APIVersion
		}
		path := fmt.Sprintf("items[%d]", i)
		if o.path != "" {
			path = o.path + "." + path
		}
		out = append(out, open(object{item: o.item, node: node, path: path, at: at})...)
	}
	return out
}

// listOf returns the items of a List, nil if the object has no list of that name.
func listOf(n *yaml.Node) *yaml.Node {
	list, _ := descend(n, "items")
	if list = target(list); list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	return list
}

// elementKind returns the kind of the elements of a list kind.
func elementKind(kind string) (string, bool) {
	const suffix = "List"
	if len(kind) < len(suffix) || kind[len(kind)-len(suffix):] != suffix {
		return "", false
	}
	return kind[:len(kind)-len(suffix)], true
}

// refer names an object, as far as it can be read. kyaml's own accessors panic
// on metadata that is no object.
func refer(n *yaml.RNode) finding.Object {
	return finding.Object{
		APIVersion: textAt(n, "apiVersion"), Kind: textAt(n, "kind"),
		Namespace: textAt(n, "metadata", "namespace"), Name: textAt(n, "metadata", "name"),
	}
}

// place returns the file and index that the host, or the reader, put on an
// item.
func place(item *yaml.RNode) (string, int) {
	index, err := strconv.Atoi(cmp.Or(annotation(item, kioutil.IndexAnnotation), annotation(item, kioutil.LegacyIndexAnnotation))) //nolint:staticcheck // older hosts
	if err != nil {
		index = 0
	}
	return cmp.Or(annotation(item, kioutil.PathAnnotation), annotation(item, kioutil.LegacyPathAnnotation)), index //nolint:staticcheck // older hosts
}

func annotation(n *yaml.RNode, key string) string { return textAt(n, "metadata", "annotations", key) }

// textAt returns the text at a path of keys, "" if there is none.
func textAt(n *yaml.RNode, path ...string) string {
	node := nodeAt(n, path...)
	if node == nil || node.Kind != yaml.ScalarNode || node.Tag == yaml.NodeTagNull {
		return ""
	}
	return node.Value
}

// nodeAt returns the node at a path of keys, nil if there is none.
func nodeAt(n *yaml.RNode, path ...string) *yaml.Node {
	node := n.YNode()
	for _, key := range path {
		if node == nil {
			return nil
		}
		node, _ = descend(node, key)
	}
	return target(node)
}

// json returns the object as kubectl and the API server would read it.
func (o object) json() ([]byte, error) {
	data, ok := asJSON(o.node.YNode())
	if !ok {
		var err error
		if data, err = o.readAgain(); err != nil {
			return nil, err
		}
	}
	if textAt(o.node, "kind") != "" {
		return data, nil
	}
	// An element of a NodeList and the like.
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, fmt.Errorf("read the object: %w", err)
	}
	tree["kind"], tree["apiVersion"] = o.at.Kind, o.at.APIVersion
	data, err := json.Marshal(tree)
	if err != nil {
		return nil, fmt.Errorf("encode the object: %w", err)
	}
	return data, nil
}

// readAgain writes the object as text, its anchors expanded, and reads that.
func (o object) readAgain() ([]byte, error) {
	item, err := copyOf(o.item)
	if err != nil {
		return nil, err
	}
	text, err := yamlout.String(o.in(item))
	if err != nil {
		return nil, err
	}
	data, err := k8syaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("read the YAML: %w", err)
	}
	return data, nil
}

// in returns the object in a copy of its item.
func (o object) in(item *yaml.RNode) *yaml.RNode {
	node := item.YNode()
	for _, step := range steps(o.path) {
		node, _ = descend(node, step)
	}
	return yaml.NewRNode(target(node))
}

// singleKeys removes the keys that are there a second time with the same value from
// the object in a copy of its item, and from the Lists around it.
func (o object) singleKeys(item *yaml.RNode) {
	node := target(item.YNode())
	for _, step := range steps(o.path) {
		if node.Kind == yaml.MappingNode {
			singleIn(node)
		}
		node, _ = descend(node, step)
		node = target(node)
	}
	singleKeys(node)
}

// unreadable tells that the object cannot be made sense of.
func (o object) unreadable(err error) finding.Finding {
	return finding.Finding{
		ID: finding.Unreadable, Severity: finding.Error, Object: o.at, Field: o.path, Line: lineOf(o.node.YNode(), ""),
		Text: err.Error(), Do: "correct the manifest",
	}
}
