package lock

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// located is a lock in a document, not yet decoded.
type located struct {
	node             *yaml.Node
	kind, apiVersion string // an element of a list may omit them
	path             string // of the lock in the document: "" or "items[2]"
}

// locksIn returns the locks of a document: the document itself, or the elements of Lists,
// which render also reads.
func locksIn(document string) ([]located, error) {
	var out []located
	for _, text := range objects(document) {
		var node yaml.Node
		if err := yaml.Unmarshal([]byte(text), &node); err != nil {
			return nil, fmt.Errorf("read the YAML: %w", err)
		}
		if len(node.Content) > 0 {
			out = append(out, open(located{node: node.Content[0]}, nil)...)
		}
	}
	return out, nil
}

// open returns the object if it is a lock, or the locks in it if it is a List. A List that
// contains one of the Lists around it never ends, and render refuses it.
func open(l located, around []*yaml.Node) []located {
	if kind := yamlnode.Text(l.node, "kind"); kind != "" {
		l.kind, l.apiVersion = kind, yamlnode.Text(l.node, "apiVersion")
	}
	group, _, _ := strings.Cut(l.apiVersion, "/")
	if l.kind == v1alpha1.ArchitectureLockKind && group == v1alpha1.Group {
		return []located{l}
	}
	kind, isList := strings.CutSuffix(l.kind, "List")
	items := yamlnode.Dealias(yamlnode.Value(l.node, "items"))
	if !isList || items == nil || items.Kind != yaml.SequenceNode || slices.Contains(around, l.node) {
		return nil
	}
	var out []located
	for i, item := range items.Content {
		path := strings.TrimPrefix(fmt.Sprintf("%s.items[%d]", l.path, i), ".")
		out = append(out, open(located{yamlnode.Dealias(item), kind, l.apiVersion, path}, append(slices.Clip(around), l.node))...)
	}
	return out
}

// decode reads the lock. The error is [v1alpha1.Errors] if the lock is readable but
// invalid.
func (l located) decode() (*v1alpha1.ArchitectureLock, error) {
	var tree map[string]any
	if err := l.node.Decode(&tree); err != nil {
		return nil, fmt.Errorf("read the YAML: %w", err)
	}
	tree["kind"], tree["apiVersion"] = l.kind, l.apiVersion
	return v1alpha1.DecodeArchitectureLock(tree)
}

// below returns the errors of the lock with their paths in the document.
func (l located) below(errs v1alpha1.Errors) v1alpha1.Errors {
	out := slices.Clone(errs)
	for i := range out {
		out[i].Path = strings.Trim(l.path+"."+out[i].Path, ".")
	}
	return out
}

// fixed returns the reason why goldenarch cannot write the lock at its place in the
// document, or nil.
func (l located) fixed(document string) error {
	switch _, isJSON := values(document); {
	case isJSON:
		return ErrJSON
	case l.path != "":
		return ErrInList
	}
	return nil
}
