package manifest

import (
	"errors"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// ErrTemplated is the error for a file that becomes valid YAML only after a template
// engine has rendered it.
var ErrTemplated = errors.New("the file is a template (Helm, Jinja or similar): render it first and pass the output")

// templateAction matches "{{ x" or "{% x", as in Helm, Jinja and ACM policies.
var templateAction = pattern.Of(`\{\{|\{%`)

// templated reports whether a file that is not valid YAML is a template.
func templated(text string) bool {
	return templateAction().MatchString(strings.ReplaceAll(text, "${{", ""))
}

// hasObjectKey reports whether a mapping has a key that is an object or a list. YAML reads
// the value of "name: {{ x }}" as an object with such a key.
func hasObjectKey(n *yaml.Node) bool {
	for key := range yamlnode.Pairs(n) {
		if key.Kind != yaml.ScalarNode {
			return true
		}
	}
	return slices.ContainsFunc(n.Content, hasObjectKey)
}
