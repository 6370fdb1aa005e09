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

// edited returns a text after the changes of its only document that a function chooses.
// Every byte outside the changes stays.
func edited(text []byte, choose func(root *yaml.Node) ([]yamledit.Change, error)) ([]byte, error) {
	var doc yaml.Node
	plain := bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	if err := yaml.Unmarshal(plain, &doc); err != nil {
		return nil, fmt.Errorf("the file is not YAML: %w", err)
	}
	root := yamlnode.NewMapping()
	if len(doc.Content) > 0 && !yaml.IsYNodeEmptyDoc(&doc) {
		root = doc.Content[0]
	}
	if root.Kind != yaml.MappingNode {
		return nil, errShape
	}
	changes, err := choose(root)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if err := writable(root, c.Path); err != nil {
			return nil, err
		}
	}
	return yamledit.Apply(text, changes...)
}

// writable returns an error for a path below an alias, or to a list that a merge key brings: an
// edit there would change other places, or hide that list.
func writable(root *yaml.Node, path []string) error {
	n := root
	for i, step := range path {
		if n.Kind == yaml.AliasNode {
			return fmt.Errorf("%s is the YAML alias *%s, and an edit would change other places: write its value out", fieldpath.Of(path[:i]), n.Value)
		}
		next, _ := yamlnode.Child(n, step)
		switch {
		case next == nil:
			return nil
		case n.Kind == yaml.MappingNode && yamlnode.Value(n, step) == nil:
			return fmt.Errorf("%s comes from a YAML merge key, and an edit would hide that: write it out", fieldpath.Of(path[:i+1]))
		}
		n = next
	}
	return nil
}

// listAt returns the list below a key, for reading; nil if there is none.
func listAt(m *yaml.Node, key string) (*yaml.Node, error) {
	list := yamlnode.Get(m, key)
	if list != nil && list.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s is not a list: %w", key, errShape)
	}
	return list, nil
}

// listed returns the changes that add texts to the list below a key, if they are not there.
func listed(root *yaml.Node, key string, values ...string) ([]yamledit.Change, error) {
	list, err := listAt(root, key)
	if err != nil {
		return nil, err
	}
	var added []*yaml.Node
	for _, value := range values {
		if !has(list, value) && !has(&yaml.Node{Content: added}, value) {
			added = append(added, yamlnode.NewScalar(value, yaml.NodeTagString, 0))
		}
	}
	return appendedTo(list, []string{key}, added...), nil
}

// appendedTo returns the changes that add elements to a list, which is made if it is nil or
// empty.
func appendedTo(list *yaml.Node, path []string, values ...*yaml.Node) []yamledit.Change {
	var out []yamledit.Change
	if len(values) > 0 && (list == nil || len(list.Content) == 0) {
		made := yamlnode.NewSequence()
		made.Content = values
		return []yamledit.Change{{Path: path, Value: made}}
	}
	for _, value := range values {
		out = append(out, yamledit.Change{Path: append(slices.Clone(path), yamledit.End), Value: value})
	}
	return out
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
	return edited(text, func(root *yaml.Node) ([]yamledit.Change, error) {
		changes, err := listed(root, yamlnode.KeyInAnyCase(root, "resources"), resources...)
		if err != nil {
			return nil, err
		}
		more, err := listed(root, yamlnode.KeyInAnyCase(root, "transformers"), config)
		return append(changes, more...), err
	})
}

// pluginConfig is the ConfigMap with the plugin that the patch of the repo-server mounts.
const pluginConfig = "goldenarch-plugin"

// AddPlugin returns the text of the kustomization that installs Argo CD, with what the component of the
// plugin has: its files are beside the kustomization.
func AddPlugin(text []byte, config, patch string) ([]byte, error) {
	return edited(text, func(root *yaml.Node) ([]yamledit.Change, error) {
		maps, patches := yamlnode.KeyInAnyCase(root, "configMapGenerator"), yamlnode.KeyInAnyCase(root, "patches")
		generated, err := listAt(root, maps)
		if err != nil {
			return nil, err
		}
		patched, err := listAt(root, patches)
		if err != nil {
			return nil, err
		}
		var out []yamledit.Change
		if !hasWith(generated, "name", pluginConfig) {
			entry := yamlnode.NewMapping()
			yamlnode.SetString(entry, "name", pluginConfig, 0)
			yamlnode.Put(entry, "files", listOf([]string{config}))
			out = append(out, appendedTo(generated, []string{maps}, entry)...)
		}
		if !hasWith(patched, "path", patch) {
			entry := yamlnode.NewMapping()
			yamlnode.SetString(entry, "path", patch, 0)
			out = append(out, appendedTo(patched, []string{patches}, entry)...)
		}
		return out, nil
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
	return edited(text, func(root *yaml.Node) ([]yamledit.Change, error) {
		if strings.HasSuffix(yamlnode.Text(root, "kind"), "List") {
			return nil, ErrInList
		}
		at := root
		for i, path := range []string{"metadata", "metadata.annotations"} {
			if at = yamlnode.Get(at, []string{"metadata", "annotations"}[i]); at == nil {
				break
			}
			if at.Kind != yaml.MappingNode {
				return nil, fmt.Errorf("%s is not an object: %w", path, errShape)
			}
		}
		if IsFunction(root) {
			return nil, nil
		}
		value := yamlnode.NewScalar("exec: {path: goldenarch}", yaml.NodeTagString, yaml.SingleQuotedStyle)
		return []yamledit.Change{{Path: []string{"metadata", "annotations", functionAnnotation}, Value: value}}, nil
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
	return edited(text, func(root *yaml.Node) ([]yamledit.Change, error) {
		if yamlnode.Text(root, "kind") != "Kptfile" {
			return nil, fmt.Errorf("the kind is not Kptfile: %w", errShape)
		}
		pipeline := yamlnode.Get(root, "pipeline")
		if pipeline != nil && pipeline.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("pipeline is not an object: %w", errShape)
		}
		list, err := listAt(pipeline, "mutators")
		if err != nil || list != nil && slices.ContainsFunc(list.Content, runsGoldenarch) {
			return nil, err
		}
		entry := yamlnode.NewMapping()
		yamlnode.SetString(entry, "exec", program, 0)
		yamlnode.SetString(entry, "configPath", config, 0)
		return appendedTo(list, []string{"pipeline", "mutators"}, entry), nil
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
