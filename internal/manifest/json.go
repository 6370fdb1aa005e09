package manifest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// jsonString matches a string of JSON.
var jsonString = pattern.Of(`"(?:[^"\\]|\\.)*"`)

// jsonNode reads a text that is JSON and that the YAML reader refuses: a string may have the escape \/
// and pairs of surrogates (\ud83d\ude00), which kubectl reads (apimachinery pkg/util/yaml/decoder.go:
// YAMLOrJSONDecoder). It returns nil for any other text.
func jsonNode(text string) *yaml.Node {
	object := strings.TrimPrefix(text, "---")
	if !opensJSON(object) || !json.Valid([]byte(object)) {
		return nil
	}
	text = jsonString().ReplaceAllStringFunc(text, func(quoted string) string {
		var value string
		_ = json.Unmarshal([]byte(quoted), &value) // the text is valid
		return strconv.Quote(value)                // all escapes of Go are also those of YAML
	})
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil
	}
	return &doc
}

// isOnlyJSON reports whether a text is JSON that the YAML reader refuses. In a stream of YAML it must be
// written otherwise.
func isOnlyJSON(text string) bool {
	has := func(escape string) bool { return strings.Contains(text, escape) }
	return slices.ContainsFunc([]string{`\/`, `\ud`, `\uD`}, has) && yaml.Unmarshal([]byte(text), &yaml.Node{}) != nil && jsonNode(text) != nil
}
