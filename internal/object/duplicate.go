package object

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// DuplicateKeys reports the duplicate keys of the object's mappings, including those that
// the object reaches through an alias. It reports each mapping once. YAML readers silently
// use one of the two values, and not all readers use the same one. If both values are
// equal, this makes no difference, and an edit keeps the first ([removeRepeated]).
func DuplicateKeys(o Object) finding.List {
	var found finding.List
	walkMappings(o.Node.YNode(), "", map[*yaml.Node]bool{}, func(m *yaml.Node, path string) {
		found = append(found, o.duplicatesIn(m, path)...)
	})
	return found
}

// duplicatesIn reports the duplicate keys of one mapping of the object.
func (o Object) duplicatesIn(m *yaml.Node, path string) finding.List {
	var found finding.List
	first := make(map[string]*yaml.Node, len(m.Content)/2)
	for keyNode, value := range yamlnode.Pairs(m) {
		key := jsonKey(keyNode)
		earlier, twice := first[key]
		if !twice {
			first[key] = value
			continue
		}
		f := finding.Finding{
			ID: finding.DuplicateKey, Severity: finding.Warning, Object: o.At, Field: fieldpath.Join(path, key),
			Line: keyNode.Line,
			Text: fmt.Sprintf("duplicate key %q, with the same value: goldenarch keeps the first one when it edits the object", key),
			Do:   "remove one of them",
		}
		if !yamlnode.Same(earlier, value) {
			f.Severity = finding.Error
			f.Text = fmt.Sprintf("duplicate key %q with different values: each YAML reader uses another one", key)
		}
		found = append(found, f)
	}
	return found
}

// DuplicateHeadKeys reports duplicate keys with different values among those that say what
// an item is and what it holds. Readers would not agree on its objects.
func DuplicateHeadKeys(o Object) finding.List {
	var found finding.List
	for _, f := range o.duplicatesIn(yamlnode.Dealias(o.Item.YNode()), "") {
		if f.Severity == finding.Error && slices.Contains([]string{"apiVersion", "kind", "items"}, f.Field) {
			found = append(found, f)
		}
	}
	return found
}

// jsonKey returns the text of a key in JSON, after following an alias. The keys 1 and "1"
// are equal.
func jsonKey(key *yaml.Node) string {
	key = yamlnode.Dealias(key)
	if key.Kind != yaml.ScalarNode || isText(key) || key.ShortTag() == yaml.NodeTagString {
		return key.Value
	}
	data, err := k8syaml.YAMLToJSON([]byte("? " + strings.ReplaceAll(key.Value, "\n", " ") + "\n: 0\n"))
	var read map[string]int
	if err != nil || json.Unmarshal(data, &read) != nil || len(read) != 1 {
		return key.Value
	}
	for text := range read {
		return text
	}
	return key.Value
}
