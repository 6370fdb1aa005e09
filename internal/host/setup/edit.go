package setup

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// errShape is the error of a file that has another form than its program reads.
var errShape = errors.New("the file has another form than expected")

// ErrInList is the error of a configuration that is an element of a List: kustomize and kpt pass a
// function the whole file.
var ErrInList = errors.New("the GoldenImages is in a List, which kustomize and kpt do not take for the configuration of a function")

// edited returns a text after an edit of its only document. Every byte outside the edit stays.
func edited(text []byte, edit func(root *yaml.Node) error) ([]byte, error) {
	var doc yaml.Node
	plain := bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	if err := yaml.Unmarshal(plain, &doc); err != nil {
		return nil, fmt.Errorf("the file is not YAML: %w", err)
	}
	root, update := yamlnode.NewMapping(), yamledit.Begin
	if len(doc.Content) > 0 && !yaml.IsYNodeEmptyDoc(&doc) {
		root, update = doc.Content[0], yamledit.Update
	}
	if root.Kind != yaml.MappingNode {
		return nil, errShape
	}
	if err := edit(root); err != nil {
		return nil, err
	}
	return update(text, root)
}

// around returns the mapping around the last key of a path, which is made where it is not there. It fails
// for a path to or through an alias, or to what a merge key brings: an edit there would change other
// places, or hide that.
func around(root *yaml.Node, path []string) (*yaml.Node, error) {
	n := root
	for i, step := range path {
		next, _ := yamlnode.Child(n, step)
		switch {
		case next != nil && next.Kind == yaml.AliasNode:
			return nil, fmt.Errorf("%s is the YAML alias *%s, and an edit would change other places: write its value out", fieldpath.Of(path[:i+1]), next.Value)
		case next != nil && n.Kind == yaml.MappingNode && yamlnode.Value(n, step) == nil:
			return nil, fmt.Errorf("%s comes from a YAML merge key, and an edit would hide that: write it out", fieldpath.Of(path[:i+1]))
		case n.Kind == yaml.ScalarNode:
			return nil, errShape
		case i == len(path)-1:
		case n.Kind == yaml.MappingNode:
			n = yamlnode.Mapping(n, step)
		default:
			n = next
		}
	}
	return n, nil
}

// put sets the key at a path to a value.
func put(root *yaml.Node, path []string, value *yaml.Node) error {
	m, err := around(root, path)
	if err == nil {
		yamlnode.Put(m, path[len(path)-1], value)
	}
	return err
}

// appendTo adds elements to the list at a path, which is made where it is not there.
func appendTo(root *yaml.Node, path []string, values ...*yaml.Node) error {
	if len(values) == 0 {
		return nil
	}
	m, err := around(root, path)
	if err == nil {
		list := yamlnode.Sequence(m, path[len(path)-1])
		list.Content = append(list.Content, values...)
	}
	return err
}

// listAt returns the list below a key, for reading; nil if there is none.
func listAt(m *yaml.Node, key string) (*yaml.Node, error) {
	list := yamlnode.Get(m, key)
	if list != nil && list.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s is not a list: %w", key, errShape)
	}
	return list, nil
}

// list adds texts to the list below a key, if they are not there.
func list(root *yaml.Node, key string, values ...string) error {
	there, err := listAt(root, key)
	if err != nil {
		return err
	}
	var added []*yaml.Node
	for _, value := range values {
		if !has(there, value) && !has(&yaml.Node{Content: added}, value) {
			added = append(added, yamlnode.NewScalar(value, yaml.NodeTagString, 0))
		}
	}
	return appendTo(root, []string{key}, added...)
}

// listOf returns a list of texts, on one line.
func listOf(texts []string) *yaml.Node {
	list := yamlnode.NewSequence()
	list.Style = yaml.FlowStyle
	for _, text := range texts {
		list.Content = append(list.Content, yamlnode.NewScalar(text, yaml.NodeTagString, 0))
	}
	return list
}

// has reports whether a list has a text.
func has(list *yaml.Node, value string) bool {
	value = strings.TrimPrefix(value, "./")
	return list != nil && slices.ContainsFunc(list.Content, func(n *yaml.Node) bool {
		return strings.TrimPrefix(yamlnode.Text(n), "./") == value
	})
}

// ListInKustomization returns the text of a kustomization that lists files as resources,
// and the configuration as its last transformer.
func ListInKustomization(text []byte, config string, resources ...string) ([]byte, error) {
	return edited(text, func(root *yaml.Node) error {
		if err := list(root, yamlnode.KeyInAnyCase(root, "resources"), resources...); err != nil {
			return err
		}
		return list(root, yamlnode.KeyInAnyCase(root, "transformers"), config)
	})
}

// pluginConfig is the ConfigMap with the plugin that the patch of the repo-server mounts.
const pluginConfig = "goldenarch-plugin"

// AddPlugin returns the text of the kustomization that installs Argo CD, with what the component of the
// plugin has: its files are beside the kustomization.
func AddPlugin(text []byte, config, patch string) ([]byte, error) {
	return edited(text, func(root *yaml.Node) error {
		maps, patches := yamlnode.KeyInAnyCase(root, "configMapGenerator"), yamlnode.KeyInAnyCase(root, "patches")
		generated, err := listAt(root, maps)
		if err != nil {
			return err
		}
		patched, err := listAt(root, patches)
		if err != nil {
			return err
		}
		if !hasWith(generated, "name", pluginConfig) {
			entry := yamlnode.NewMapping()
			yamlnode.SetString(entry, "name", pluginConfig, 0)
			yamlnode.Put(entry, "files", listOf([]string{config}))
			if err := appendTo(root, []string{maps}, entry); err != nil {
				return err
			}
		}
		if hasWith(patched, "path", patch) {
			return nil
		}
		entry := yamlnode.NewMapping()
		yamlnode.SetString(entry, "path", patch, 0)
		return appendTo(root, []string{patches}, entry)
	})
}

// hasWith reports whether an element of a list has a field with a text.
func hasWith(list *yaml.Node, field, value string) bool {
	return list != nil && slices.ContainsFunc(list.Content, func(n *yaml.Node) bool {
		return strings.TrimPrefix(yamlnode.Text(n, field), "./") == value
	})
}

// AddFunction returns the text of a configuration with the annotation that names what
// kustomize runs.
func AddFunction(text []byte) ([]byte, error) {
	return edited(text, func(root *yaml.Node) error {
		if strings.HasSuffix(yamlnode.Text(root, "kind"), "List") {
			return ErrInList
		}
		at := root
		for i, path := range []string{"metadata", "metadata.annotations"} {
			if at = yamlnode.Get(at, []string{"metadata", "annotations"}[i]); at == nil {
				break
			}
			if at.Kind != yaml.MappingNode {
				return fmt.Errorf("%s is not an object: %w", path, errShape)
			}
		}
		if IsFunction(root) {
			return nil
		}
		value := yamlnode.NewScalar("exec: {path: goldenarch}", yaml.NodeTagString, yaml.SingleQuotedStyle)
		return put(root, []string{"metadata", "annotations", functionAnnotation}, value)
	})
}

// functionAnnotation says on a configuration what kustomize runs.
const functionAnnotation = "config.kubernetes.io/function"

// IsFunction reports whether an object is the configuration of a function that kustomize runs.
func IsFunction(object *yaml.Node) bool {
	annotations := yamlnode.Get(object, "metadata", "annotations")
	return yamlnode.Get(annotations, functionAnnotation) != nil || yamlnode.Get(annotations, "config.k8s.io/function") != nil
}

// AddMutator returns the text of a Kptfile whose pipeline runs goldenarch.
func AddMutator(text []byte, config string) ([]byte, error) {
	return edited(text, func(root *yaml.Node) error {
		if yamlnode.Text(root, "kind") != "Kptfile" {
			return fmt.Errorf("the kind is not Kptfile: %w", errShape)
		}
		pipeline := yamlnode.Get(root, "pipeline")
		if pipeline != nil && pipeline.Kind != yaml.MappingNode {
			return fmt.Errorf("pipeline is not an object: %w", errShape)
		}
		mutators, err := listAt(pipeline, "mutators")
		if err != nil || mutators != nil && slices.ContainsFunc(mutators.Content, runsGoldenarch) {
			return err
		}
		entry := yamlnode.NewMapping()
		yamlnode.SetString(entry, "exec", program, 0)
		yamlnode.SetString(entry, "configPath", config, 0)
		return appendTo(root, []string{"pipeline", "mutators"}, entry)
	})
}

// HasPipeline reports whether a text is a Kptfile whose pipeline runs functions.
func HasPipeline(text []byte) bool {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil || yamlnode.Text(&doc, "kind") != "Kptfile" {
		return false
	}
	for _, list := range []string{"mutators", "validators"} {
		if found := yamlnode.Get(&doc, "pipeline", list); found != nil && found.Kind == yaml.SequenceNode && len(found.Content) > 0 {
			return true
		}
	}
	return false
}

// runsGoldenarch reports whether an entry of a pipeline runs goldenarch.
func runsGoldenarch(entry *yaml.Node) bool {
	return isProgram(yamlnode.Text(entry, "image")) || isProgram(yamlnode.Text(entry, "exec"))
}

// isProgram reports whether an image or a command is goldenarch.
func isProgram(value string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(value), " ")
	last := first[strings.LastIndex(first, "/")+1:]
	last, _, _ = strings.Cut(last, "@")
	last, _, _ = strings.Cut(last, ":")
	return last == "goldenarch"
}
