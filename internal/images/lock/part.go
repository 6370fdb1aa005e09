package lock

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Part is a lock with those of its images that a run uses.
//
// A lock has the images of a repository, and a run uses few of them. Of the others only the
// reference is read: a wrong digest, a duplicate or a disagreement between two locks changes nothing
// there, and "goldenarch lock" and "lock --check" read and report all. An entry whose reference is
// not valid counts as used, because it may be meant for an image of the run. All operators are read.
type Part struct {
	// Node is the lock with these images, at their lines.
	Node *yaml.Node
	// at are their indices in the whole lock; nil if the part is the whole.
	at []int
}

// PartOf returns a lock with the entries of references. The error is about the text of an entry.
func PartOf(node *yaml.Node, references []imageref.Reference) (Part, error) {
	i := yamlnode.Field(node, images.key)
	if i < 0 {
		return Part{Node: node}, nil
	}
	used := make(map[imageref.Reference]bool, len(references))
	for _, ref := range references {
		used[ref] = true
	}
	isUsed := func(text string) bool {
		ref, err := imageref.Parse(text)
		return err != nil || used[ref]
	}
	list, out := yamlnode.Dealias(node.Content[i]), Part{at: []int{}}
	part := yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Line: list.Line}
	switch {
	case yamlnode.IsListAsText(list):
		for at, element := range yamlnode.TextElements(list) {
			if text, ok := element.Text("reference"); ok && !isUsed(text) {
				continue
			}
			entry, err := element.Node()
			if err != nil {
				return Part{}, err
			}
			part.Content, out.at = append(part.Content, entry), append(out.at, at)
		}
	case list.Kind == yaml.SequenceNode:
		for at, entry := range list.Content {
			if isUsed(yamlnode.Text(entry, "reference")) {
				part.Content, out.at = append(part.Content, entry), append(out.at, at)
			}
		}
	default:
		return Part{Node: node}, nil
	}
	copied := *node
	copied.Content = slices.Clone(node.Content)
	copied.Content[i] = &part
	out.Node = &copied
	return out, nil
}

// Whole returns a path below the part as the whole lock has it.
func (p Part) Whole(path string) string {
	rest, ok := strings.CutPrefix(path, images.key+"[")
	number, rest, closed := strings.Cut(rest, "]")
	if i, err := strconv.Atoi(number); ok && closed && err == nil && i < len(p.at) {
		return images.key + "[" + strconv.Itoa(p.at[i]) + "]" + rest
	}
	return path
}

// Decode reads a lock in a document that has a number of lines before it. An element of a list may
// omit its kind and apiVersion. The error is [v1alpha1.Errors].
func Decode(node *yaml.Node, apiVersion, kind string, before int) (*v1alpha1.ArchitectureLock, error) {
	var tree map[string]any
	if err := node.Decode(&tree); err != nil {
		return nil, v1alpha1.Errors{{Text: yamlnode.ReadError(err, before).Error()}}
	}
	tree["kind"], tree["apiVersion"] = kind, apiVersion
	return v1alpha1.DecodeArchitectureLock(tree)
}
