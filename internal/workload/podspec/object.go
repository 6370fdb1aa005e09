package podspec

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/wrapper"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Object is a Kubernetes object of an item: the item itself, or one that it wraps.
type Object struct {
	Node                              *yaml.Node // a mapping
	APIVersion, Kind, Namespace, Name string
	// Path is the path of the object in its item: "", items[2], spec.workload.manifests[0].
	Path string
	// Wrapper names the object that carries this one to a cluster, such as
	// "ConfigurationPolicy/apps"; "" if none does.
	Wrapper string
	// Reach says whether an edit of a wrapped object reaches the cluster.
	Reach wrapper.Reach
}

// Group returns the API group, "" for the core group.
func (o Object) Group() string {
	group, _, ok := strings.Cut(o.APIVersion, "/")
	if !ok {
		return ""
	}
	return group
}

// Annotation returns an annotation of the object; "" if it does not exist.
func (o Object) Annotation(key string) string { return text(o.Node, "metadata", "annotations", key) }

// Labels returns the labels of the object.
func (o Object) Labels() map[string]string {
	return texts(resolved(yamlnode.Lookup(o.Node, []string{"metadata", "labels"})))
}

// texts returns the texts of a mapping.
func texts(n *yaml.Node) map[string]string {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	out := make(map[string]string, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if value := resolved(n.Content[i+1]); value.Kind == yaml.ScalarNode {
			out[n.Content[i].Value] = value.Value
		}
	}
	return out
}

// deepest is the maximum nesting depth of wrappers: a Policy holds a ConfigurationPolicy
// that holds a List.
const deepest = 8

// Objects returns the objects of an item. For a wrapper, these are the objects in it;
// otherwise, it is the item itself.
func Objects(item *yaml.Node) []Object {
	item = resolved(item)
	if item != nil && item.Kind == yaml.DocumentNode && len(item.Content) > 0 {
		item = resolved(item.Content[0])
	}
	if item == nil || item.Kind != yaml.MappingNode {
		return nil
	}
	return open(describe(item, "", typeMeta{}), 0)
}

// typeMeta is the type of a list kind's elements.
type typeMeta struct{ apiVersion, kind string }

// describe names an object. An element of a list kind without a kind of its own gets the
// kind that the list implies.
func describe(n *yaml.Node, path string, element typeMeta) Object {
	o := Object{
		Node: n, Path: path, APIVersion: text(n, "apiVersion"), Kind: text(n, "kind"),
		Namespace: text(n, "metadata", "namespace"), Name: text(n, "metadata", "name"),
	}
	if o.Kind == "" {
		o.APIVersion, o.Kind = element.apiVersion, element.kind
	}
	return o
}

func open(o Object, depth int) []Object {
	if depth == deepest {
		return []Object{o}
	}
	if wrapper.Is(o.APIVersion, o.Kind) {
		return openWrapper(o, depth)
	}
	name, isList := strings.CutSuffix(o.Kind, "List")
	if !isList {
		return []Object{o}
	}
	element := typeMeta{o.APIVersion, name}
	if name == "" {
		element = typeMeta{}
	}
	var out []Object
	for _, f := range walk(o.Node, "items[]") {
		if f.node.Kind != yaml.MappingNode {
			continue
		}
		inner := describe(f.node, joined(o.Path, f.path), element)
		inner.Wrapper, inner.Reach = o.Wrapper, o.Reach
		out = append(out, open(inner, depth+1)...)
	}
	return out
}

// openWrapper returns the objects that a wrapper applies. An object that it only compares
// with the cluster does not count. For a wrapper in a wrapper, the weaker reach counts.
func openWrapper(o Object, depth int) []Object {
	var out []Object
	for _, held := range wrapper.Open(o.APIVersion, o.Kind, o.Node) {
		if held.Reach == wrapper.Compared {
			continue
		}
		inner := describe(held.Node, joined(o.Path, held.Path), typeMeta{})
		inner.Wrapper, inner.Reach = o.Kind+"/"+o.Name, held.Reach
		if held.Reach == wrapper.Applied {
			inner.Reach = o.Reach
		}
		out = append(out, open(inner, depth+1)...)
	}
	return out
}

func joined(outer, inner string) string { return strings.TrimPrefix(outer+"."+inner, ".") }

// IsRecreated reports whether each apply creates a new object instead of changing the old
// one. Either the object's name is generated, or Argo CD or Helm deletes the object first.
func (o Object) IsRecreated() bool {
	return o.Name == "" && text(o.Node, "metadata", "generateName") != "" ||
		o.Annotation("argocd.argoproj.io/hook") != "" || o.Annotation("helm.sh/hook") != "" ||
		strings.Contains(o.Annotation("argocd.argoproj.io/sync-options"), "Replace=true")
}
