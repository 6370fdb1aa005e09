package manifest

import (
	"errors"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/template"
	"github.com/goldenarch/goldenarch/internal/parallel"
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
	isPlain := yamlnode.Value(metadata, annotationsField) == nil && !yamlnode.HasAlias(&rest) && !yamlnode.HasMergeKey(&rest)
	return out, isList && isPlain && out.Fits(items)
}

// element reads an element of a List; nil if it is no object by itself.
func (d document) element(list yamlnode.List, i int) *yaml.RNode {
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

// errElement says that a List has an element that the run needs, or that must be read with the others.
var errElement = errors.New("the List has an element that is needed")

// addList adds a List if the run needs none of its elements: one after the other, because the
// nodes of all of them take much memory. It reports false for any other List.
func (p *parsing) addList(doc document, list yamlnode.List) bool {
	if len(p.reader.places) > 0 || template.HasAction(p.text) {
		return false
	}
	ids := make([]uint64, 0, len(list.Elements))
	read := func(i int) *yaml.RNode { return doc.element(list, i) }
	err := parallel.Ordered(len(list.Elements), decodedAtOnce, read, func(_ int, element *yaml.RNode) error {
		if element == nil || annotate(element, p.name, p.objects, "") != nil || p.reader.Needed(element) {
			return errElement
		}
		ids = append(ids, yamlnode.HashOf(headOf(element, "kind"), nameOf(element)))
		return nil
	})
	if err != nil {
		return false
	}
	if p.reader.Each == nil {
		p.run = &run{text: p.fileText, first: p.objects, elements: ids, docs: []named{{document: doc, begin: p.source(doc).begin}}}
		p.items = append(p.items, p.reader.Texts.add(p.run))
	}
	p.objects, p.end = p.objects+1, doc.to
	return true
}

// namedElements reads the elements of a kind and a name in a List.
func (r *run) namedElements(kind, name string) []*yaml.RNode {
	var out []*yaml.RNode
	var list yamlnode.List
	for i, id := range r.elements {
		if id != yamlnode.HashOf(kind, name) {
			continue
		}
		doc := r.docs[0].document
		if list.Elements == nil {
			list, _ = doc.list()
		}
		element := doc.element(list, i)
		if annotate(element, r.text.name, r.first, "") == nil && headOf(element, "kind") == kind && nameOf(element) == name {
			out = append(out, element)
		}
	}
	return out
}
