package manifest

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// list cuts a List that has nothing beside its elements, such as kubectl writes it. It reports
// false for any other document.
func (d document) list() (yamlnode.List, bool) {
	if !strings.Contains(d.text, "List") {
		return yamlnode.List{}, false
	}
	out, ok := yamlnode.CutList([]byte(strings.TrimPrefix(d.text, "---\n")))
	if !ok {
		return out, false
	}
	var rest yaml.Node
	if err := yaml.Unmarshal(out.Rest, &rest); err != nil || len(rest.Content) != 1 {
		return out, false
	}
	fields := map[string]*yaml.Node{}
	for key, value := range yamlnode.Pairs(rest.Content[0]) {
		if key.Kind != yaml.ScalarNode || fields[key.Value] != nil {
			return out, false
		}
		fields[key.Value] = value
	}
	metadata, items := fields[yaml.MetadataField], fields["items"]
	delete(fields, yaml.MetadataField)
	delete(fields, "items")
	isList := len(fields) == 2 && yamlnode.Text(rest.Content[0], "apiVersion") == "v1" && yamlnode.Text(rest.Content[0], "kind") == "List"
	isPlain := yamlnode.Value(metadata, "annotations") == nil && !yamlnode.HasAlias(&rest) && !yamlnode.HasMergeKey(&rest)
	return out, isList && isPlain && out.Fits(items)
}

// elementOf reads an element of a List; nil if it is no object by itself.
func elementOf(list yamlnode.List, i int) *yaml.RNode {
	var doc yaml.Node
	if err := yaml.Unmarshal(list.Elements[i].Text, &doc); err != nil || len(doc.Content) != 1 || yamlnode.CheckSize(&doc) != nil {
		return nil
	}
	node := doc.Content[0]
	if !list.Flow {
		if node.Kind != yaml.SequenceNode || len(node.Content) != 1 {
			return nil
		}
		node = node.Content[0]
	}
	if node.Kind != yaml.MappingNode {
		return nil
	}
	return yaml.NewRNode(node)
}

// isUnneeded reports whether the run needs none of the elements of a List. It reads one after the other, because
// the nodes of all of them take much memory.
func (p *parsing) isUnneeded(list yamlnode.List) bool {
	if len(p.reader.places) > 0 || p.templated {
		return false
	}
	for i := range list.Elements {
		element := elementOf(list, i)
		if element == nil || placed(element, p.name, p.objects) != nil || p.reader.Needed(element) {
			return false
		}
	}
	return true
}
