package fn

import (
	"fmt"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/finding"
)

// object is a Kubernetes object of the input: an item, or an element of an
// item that is a List. Wrappers of other kinds can be opened the same way.
type object struct {
	item *yaml.RNode // the item that holds it
	node *yaml.RNode // the object itself
	path string      // of the object in the item: "" or "items[2]"
	at   finding.Object
}

// objects returns the objects of the items, Lists opened.
func objects(items []*yaml.RNode) []object {
	var out []object
	for _, item := range items {
		at := refer(item)
		at.File, at.Index = place(item)
		out = append(out, open(object{item: item, node: item, at: at})...)
	}
	return out
}

// open returns what a List holds, and any other object as it is. The elements
// of a NodeList and the like have no kind of their own.
func open(o object) []object {
	kind, isList := elementKind(o.at.Kind)
	list := o.node.Field("items")
	if !isList || list == nil || list.Value.YNode().Kind != yaml.SequenceNode {
		return []object{o}
	}
	var out []object
	for i, element := range list.Value.Content() {
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

// elementKind returns the kind of the elements of a list kind.
func elementKind(kind string) (string, bool) {
	const suffix = "List"
	if len(kind) < len(suffix) || kind[len(kind)-len(suffix):] != suffix {
		return "", false
	}
	return kind[:len(kind)-len(suffix)], true
}

// refer names an object, as far as it can be read.
func refer(n *yaml.RNode) finding.Object {
	return finding.Object{
		APIVersion: n.GetApiVersion(), Kind: n.GetKind(), Namespace: n.GetNamespace(), Name: n.GetName(),
	}
}

// place returns the file and index that the host, or the reader, put on an
// item.
func place(item *yaml.RNode) (string, int) {
	file, index, err := kioutil.GetFileAnnotations(item)
	if err != nil {
		return "", 0
	}
	i, err := strconv.Atoi(index)
	if err != nil {
		i = 0
	}
	return file, i
}

// json returns the object as kubectl and the API server would read it.
func (o object) json() ([]byte, error) {
	node := o.node
	if hasAlias(node.YNode()) {
		node = node.Copy()
		if err := node.DeAnchor(); err != nil {
			return nil, fmt.Errorf("expand the YAML anchors: %w", err)
		}
	}
	text, err := node.String()
	if err != nil {
		return nil, fmt.Errorf("encode the YAML: %w", err)
	}
	data, err := k8syaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("read the YAML: %w", err)
	}
	return data, nil
}

func hasAlias(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode {
		return true
	}
	return slices.ContainsFunc(n.Content, hasAlias)
}

// unreadable tells that the object cannot be made sense of.
func (o object) unreadable(err error) finding.Finding {
	return finding.Finding{
		ID: finding.Unreadable, Severity: finding.Error, Object: o.at, Field: o.path, Line: lineOf(o.node.YNode(), ""),
		Text: err.Error(), Do: "correct the manifest",
	}
}
