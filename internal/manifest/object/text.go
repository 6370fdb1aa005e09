package object

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/template"
	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// inText is where a text of an item holds an object as YAML.
type inText struct {
	keys []string // of the text in the item
	doc  int      // the index of the document in the text
	path string   // of the object in the document
	at   string   // the path of the mapping with the keys in the item
}

// textDocument is a document of a text.
type textDocument struct {
	from, to int
	root     *yaml.Node // nil if the document is empty, or holds nothing that a run reads
}

var (
	errSeveralInOne = errors.New(`a document of the text has more than one object (begin each with a line "---"), or a directive (%)`)
	errTemplated    = errors.New("the text holds text of a template engine ({{ or {%)")
)

// contentWords are words of which each object has one that a text must hold to be opened: pods, and
// virtual machines, with the API version of KubeVirt or CDI.
var contentWords = append([]string{"kubevirt.io/v"}, podspec.Words()...)

// readWords are words of which each object in a text that a run reads has one: these, a CR, an
// ImageStream that a CR names, and a Namespace with a node selector.
var readWords = append([]string{"HyperConverged", "ImageStream", "node-selector"}, contentWords...)

func hasWord(text string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// HasTexts reports whether an item has texts with objects, which count if a
// ClusterResourceSet applies them.
func HasTexts(item *yaml.RNode) bool {
	return len(wrapper.Texts(TextAt(item, "kind"), item.YNode(), holdsObjects)) > 0
}

// MayHaveTexts reports whether an item of a kind may be one that [HasTexts], by the text of the whole item.
func MayHaveTexts(kind, text string) bool {
	return (kind == "ConfigMap" || kind == "Secret") && (wrapper.HoldsCR(text) || hasWord(text, contentWords))
}

// holdsObjects reports whether a text may hold objects with pods, virtual machines, or a CR.
func holdsObjects(text string) bool {
	return wrapper.HoldsCR(text) || strings.Contains(text, "kind") && hasWord(text, contentWords)
}

// WhyUnread returns why goldenarch cannot read the objects of a text, whatever applies it; nil if it can.
func WhyUnread(text string) error {
	_, err := documentsOf(text)
	return err
}

// documentsOf returns the documents of a YAML text. It reads those with an object that a run
// reads.
func documentsOf(text string) ([]textDocument, error) {
	var out []textDocument
	from, at := 0, 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		switch marker, _, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " "); {
		case strings.HasPrefix(line, "%"):
			return nil, errSeveralInOne
		case marker == "---" && at > 0:
			out, from = append(out, textDocument{from: from, to: at}), at
		}
		at += len(line)
	}
	out = append(out, textDocument{from: from, to: at})
	for i := range out {
		document := text[out[i].from:out[i].to]
		if !hasWord(document, readWords) {
			continue // nobody needs it, and a text may have thousands
		}
		var err error
		out[i].root, err = rootOf(document)
		switch {
		case template.HasAction(document) && (err != nil || out[i].root != nil && template.Decided(out[i].root) != nil):
			return nil, errTemplated
		case err != nil:
			return nil, err
		}
	}
	return out, nil
}

// rootOf returns the root of a text of one document, nil if it is empty.
func rootOf(text string) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var doc, more yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF), err == nil && yaml.IsYNodeEmptyDoc(&doc):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the text: %w", err)
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errSeveralInOne
	}
	if err := yamlnode.CheckSize(&doc); err != nil {
		return nil, err
	}
	return doc.Content[0], nil
}

// in returns the document in a copy of the item, and the text that it is in.
func (t inText) in(item *yaml.RNode) (*yaml.Node, *yaml.Node, error) {
	text := yamlnode.Get(yamlnode.At(item.YNode(), t.at), t.keys...)
	documents, err := documentsOf(text.Value)
	if err != nil {
		return nil, nil, err
	}
	return documents[t.doc].root, text, nil
}

// sets are the resources of the ClusterResourceSets of the input.
type sets map[wrapper.Resource]wrapper.Reach

// resourceSets collects the resources of all ClusterResourceSets among items.
func resourceSets(items []*yaml.RNode) sets {
	out := sets{}
	for _, item := range items {
		for _, n := range elementsOf(item) {
			set := yaml.NewRNode(n)
			if kind := TextAt(set, "kind"); !wrapper.IsResourceSet(TextAt(set, "apiVersion"), kind) || !yamlnode.IsFinite(n) {
				continue
			}
			resources, reach := wrapper.ResourcesOf(n)
			for _, r := range resources {
				out[r] = max(out[r], reach) // where two sets differ, some clusters get it once
			}
		}
	}
	return out
}

// elementsOf returns the elements of a List, and any other object itself.
func elementsOf(item *yaml.RNode) []*yaml.Node {
	if ListItems(item.YNode()) == nil {
		return []*yaml.Node{item.YNode()}
	}
	return slices.DeleteFunc(yamlnode.Elements(item.YNode(), "items"), func(n *yaml.Node) bool { return n.Kind != yaml.MappingNode })
}

// open returns the objects in the texts of an object that a ClusterResourceSet applies. It
// leaves out a text that is not YAML, or that a template engine renders.
func (s sets) open(o Object) []Object {
	if len(s) == 0 || o.IsWrapped() || o.At.Kind != "ConfigMap" && o.At.Kind != "Secret" || o.At.APIVersion != "v1" {
		return nil
	}
	reach, named := wrapper.Applied, false
	for r, of := range s {
		if r.Matches(o.At.Kind, o.At.Namespace, o.At.Name) {
			reach, named = max(reach, of), true
		}
	}
	if !named {
		return nil
	}
	var out []Object
	for _, text := range wrapper.Texts(o.At.Kind, o.Node.YNode(), holdsObjects) {
		documents, err := documentsOf(text.Node.Value)
		if err != nil {
			continue // a CR in it is reported as one that goldenarch does not read
		}
		for i, document := range documents {
			if document.root == nil || document.root.Kind != yaml.MappingNode {
				continue
			}
			lines := strings.Count(text.Node.Value[:document.from], "\n")
			place(document.root, text.Node, lines)
			at := Ref(yaml.NewRNode(document.root))
			at.File, at.Index = o.At.File, o.At.Index
			inner := Object{Item: o.Item, Node: yaml.NewRNode(document.root), At: at, Wrapper: o.At, Reach: reach}
			for _, content := range opened(inner) {
				content.text = &inText{keys: text.Keys, doc: i, path: content.Path, at: o.Path}
				content.Path = fieldpath.Below(fieldpath.Below(o.Path, text.Path()), content.Path)
				content.Reach = max(content.Reach, reach)
				out = append(out, content)
			}
		}
	}
	return out
}

// place gives the nodes of a document the lines of the file. Only a literal block keeps its
// lines.
func place(n, text *yaml.Node, before int) {
	if text.Style&yaml.LiteralStyle != 0 {
		n.Line += text.Line + before
	} else {
		n.Line = text.Line
	}
	for _, child := range n.Content {
		place(child, text, before)
	}
}

// IsInText reports whether a text of another object, at a path, holds the object.
func (o Object) IsInText(holder Object, path string) bool {
	return o.text != nil && o.Item == holder.Item && o.text.at == holder.Path && wrapper.Text{Keys: o.text.keys}.Path() == path
}
