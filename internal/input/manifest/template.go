package manifest

import (
	"errors"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// ErrTemplated is the error of a file that is no YAML before a template engine
// has been over it.
var ErrTemplated = errors.New("the file is a template (Helm, Jinja or similar): render it first and pass the output")

// templateAction is "{{ x" or "{% x", as Helm, Jinja and ACM policies have it.
var templateAction = pattern.Of(`\{\{|\{%`)

// templated reports whether a file that is no YAML is a template.
func templated(text string) bool {
	return templateAction().MatchString(strings.ReplaceAll(text, "${{", ""))
}

// hasObjectKey reports whether a mapping has a key that is no scalar. YAML
// reads "name: {{ x }}" as one: an object whose key is an object.
func hasObjectKey(n *yaml.Node) bool {
	if n.Kind == yaml.MappingNode {
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Kind != yaml.ScalarNode {
				return true
			}
		}
	}
	return slices.ContainsFunc(n.Content, hasObjectKey)
}
