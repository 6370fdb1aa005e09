package object

import (
	"encoding/json"
	"fmt"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlout"
)

// Tree returns the object as decoded JSON.
func (o Object) Tree() (map[string]any, error) {
	data, err := o.JSON()
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, fmt.Errorf("read the object: %w", err)
	}
	return tree, nil
}

// JSON returns the object as kubectl and the API server would read it.
func (o Object) JSON() ([]byte, error) {
	data, ok := asJSON(o.Node.YNode())
	if !ok {
		var err error
		if data, err = o.jsonOfText(); err != nil {
			return nil, err
		}
	}
	if TextAt(o.Node, "kind") != "" {
		return data, nil
	}
	// An element of a NodeList and the like.
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, fmt.Errorf("read the object: %w", err)
	}
	tree["kind"], tree["apiVersion"] = o.At.Kind, o.At.APIVersion
	data, err := json.Marshal(tree)
	if err != nil {
		return nil, fmt.Errorf("encode the object: %w", err)
	}
	return data, nil
}

// jsonOfText writes the object as text with its anchors expanded, and reads that text.
func (o Object) jsonOfText() ([]byte, error) {
	item, err := Copy(o.Item)
	if err != nil {
		return nil, err
	}
	text, err := yamlout.String(o.InCopy(item))
	if err != nil {
		return nil, err
	}
	data, err := k8syaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("read the YAML: %w", err)
	}
	return data, nil
}
