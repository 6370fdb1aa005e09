package configuration

import (
	"encoding/json"
	"errors"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
)

func decode(o object.Object) (*v1alpha1.GoldenImages, finding.List) {
	tree, found := treeOf(o)
	if found.Failed() {
		return nil, found
	}
	config, err := v1alpha1.DecodeGoldenImages(tree)
	return config, append(object.DuplicateKeys(o), invalid(o, err)...)
}

// treeOf returns a configuration as decoded JSON.
func treeOf(o object.Object) (map[string]any, finding.List) {
	if what := notAnObject(o.Node.YNode()); what != "" {
		return nil, finding.List{{
			ID: finding.ConfigInvalid, Severity: finding.Error, Object: o.At, Line: o.Line(""),
			Text: "the configuration is " + what + ", expected an object", Do: "pass a GoldenImages or a ConfigMap",
		}}
	}
	data, err := o.JSON()
	if err != nil {
		return nil, finding.List{o.Unreadable(err)}
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, finding.List{o.Unreadable(err)}
	}
	return tree, nil
}

// notAnObject describes a node that is not an object. Of an object it returns "".
func notAnObject(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		return fmt.Sprintf("the value %q", n.Value)
	case yaml.MappingNode, yaml.AliasNode, yaml.DocumentNode:
	}
	return ""
}

// invalid reports all that is wrong with the configuration.
func invalid(o object.Object, err error) finding.List {
	if err == nil {
		return nil
	}
	var list v1alpha1.Errors
	if !errors.As(err, &list) {
		list = v1alpha1.Errors{{Text: err.Error()}}
	}
	var found finding.List
	for _, one := range list {
		f := finding.Finding{ID: finding.ConfigInvalid, Severity: finding.Error, Object: o.At, Field: one.Path, Text: one.Text}
		if one.NotAvailable {
			f.ID = finding.NotAvailable
			f.Do = "remove it"
		}
		if o.Node != nil {
			f.Line = o.Line(one.Path)
		}
		found = append(found, f)
	}
	return found
}
