package setup

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamledit"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// errShape is the error of a file that has another form than its program reads.
var errShape = errors.New("the file has another form than expected")

// edited returns a text with an edit of its only document. Every byte outside the edit
// stays.
func edited(text []byte, edit func(root *yaml.Node) error) ([]byte, error) {
	var doc yaml.Node
	plain := bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	if err := yaml.Unmarshal(plain, &doc); err != nil {
		return nil, fmt.Errorf("the file is not YAML: %w", err)
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, errShape
	}
	if err := edit(doc.Content[0]); err != nil {
		return nil, err
	}
	return yamledit.Edit(text, &doc)
}

// listAt returns the list below a key, which is added if it is missing.
func listAt(m *yaml.Node, key string) (*yaml.Node, error) {
	if there := yamlnode.NonNull(yamlnode.Value(m, key)); there != nil && there.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s is not a list: %w", key, errShape)
	}
	return yamlnode.Sequence(m, key), nil
}

// addText adds a text to a list that does not have it.
func addText(list *yaml.Node, value string) {
	if !has(list, value) {
		list.Content = append(list.Content, yamlnode.NewScalar(value, yaml.NodeTagString, 0))
	}
}

// has reports whether a list has a text.
func has(list *yaml.Node, value string) bool {
	return slices.ContainsFunc(list.Content, func(n *yaml.Node) bool { return strings.TrimPrefix(n.Value, "./") == value })
}

// ListInKustomization returns the text of a kustomization that lists files as resources,
// and the configuration as its last transformer.
func ListInKustomization(text []byte, config string, resources ...string) ([]byte, error) {
	return edited(text, func(root *yaml.Node) error {
		for _, file := range resources {
			list, err := listAt(root, "resources")
			if err != nil {
				return err
			}
			addText(list, file)
		}
		list, err := listAt(root, "transformers")
		if err != nil {
			return err
		}
		addText(list, config)
		return nil
	})
}

// AddFunction returns the text of a configuration with the annotation that names what
// kustomize runs.
func AddFunction(text []byte) ([]byte, error) {
	return edited(text, func(root *yaml.Node) error {
		at := root
		for i, path := range []string{"metadata", "metadata.annotations"} {
			if at = yamlnode.NonNull(yamlnode.Value(at, []string{"metadata", "annotations"}[i])); at == nil {
				break
			}
			if at.Kind != yaml.MappingNode {
				return fmt.Errorf("%s is not an object: %w", path, errShape)
			}
		}
		notes := yamlnode.Mapping(root, "metadata", "annotations")
		for key := range yamlnode.Pairs(notes) {
			if key := key.Value; key == "config.kubernetes.io/function" || key == "config.k8s.io/function" {
				return nil
			}
		}
		yamlnode.SetString(notes, "config.kubernetes.io/function", "exec: {path: goldenarch}", yaml.SingleQuotedStyle)
		return nil
	})
}

// AddMutator returns the text of a Kptfile whose pipeline runs goldenarch.
func AddMutator(text []byte, config string) ([]byte, error) {
	return edited(text, func(root *yaml.Node) error {
		if kind := yamlnode.NonNull(yamlnode.Value(root, "kind")); kind == nil || kind.Value != "Kptfile" {
			return fmt.Errorf("the kind is not Kptfile: %w", errShape)
		}
		pipeline := yamlnode.Mapping(root, "pipeline")
		if pipeline.Kind != yaml.MappingNode {
			return fmt.Errorf("pipeline is not an object: %w", errShape)
		}
		list, err := listAt(pipeline, "mutators")
		if err != nil {
			return err
		}
		if slices.ContainsFunc(list.Content, runsGoldenarch) {
			return nil
		}
		entry := yamlnode.NewMapping()
		yamlnode.SetString(entry, "image", Image, 0)
		yamlnode.SetString(entry, "configPath", config, 0)
		list.Content = append(list.Content, entry)
		return nil
	})
}

// runsGoldenarch reports whether an entry of a pipeline runs goldenarch.
func runsGoldenarch(entry *yaml.Node) bool {
	for _, key := range []string{"image", "exec"} {
		if value := yamlnode.NonNull(yamlnode.Value(entry, key)); value != nil && isProgram(value.Value) {
			return true
		}
	}
	return false
}

// isProgram reports whether an image or a command is goldenarch.
func isProgram(value string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(value), " ")
	last := first[strings.LastIndex(first, "/")+1:]
	last, _, _ = strings.Cut(last, "@")
	last, _, _ = strings.Cut(last, ":")
	return last == "goldenarch"
}
