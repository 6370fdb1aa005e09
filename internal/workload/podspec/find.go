package podspec

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Place is one PodSpec, or placement, of an object.
type Place struct {
	Object Object
	Node   *yaml.Node // a mapping
	Path   string     // in the object: spec.template.spec
	// Key identifies the place among those of its object; "" for the only place.
	Key   string
	Shape Shape
	Fixed bool
	// Package is the operator that the object names; "" if it names none.
	Package string

	inline  string // where the object says that it has the node inline
	image   string // where the object names its only image
	missing bool   // the node is not in the object yet
}

// Attach adds a missing node to the object. The API server refuses a ClusterExtension with a
// configuration whose configType is missing (operator-controller api/v1:
// ClusterExtensionConfig).
func (p Place) Attach() {
	if !p.missing {
		return
	}
	if p.inline != "" && yamlnode.Text(p.Object.Node, strings.Split(p.inline, ".")...) == "" {
		steps := strings.Split(p.inline, ".")
		last := len(steps) - 1
		yamlnode.SetString(yamlnode.Mapping(p.Object.Node, steps[:last]...), steps[last], "Inline", 0)
	}
	steps := strings.Split(p.Path, ".")
	last := len(steps) - 1
	yamlnode.Put(yamlnode.Mapping(p.Object.Node, steps[:last]...), steps[last], p.Node)
}

// ofOperator returns the placement of an operator's object, which may be missing.
func ofOperator(o Object, p Path) []Place {
	place := Place{Object: o, Path: p.Path, Shape: p.Shape, image: p.Image, inline: p.Inline}
	if p.Package != "" {
		place.Package = yamlnode.Text(o.Node, strings.Split(p.Package, ".")...)
	}
	if place.Package == "" && (p.Image == "" || yamlnode.Text(o.Node, strings.Split(p.Image, ".")...) == "") {
		return nil
	}
	if there := walk(o.Node, p.Path); len(there) > 0 {
		place.Node = there[0].node
		if place.Node.Kind != yaml.MappingNode {
			return nil
		}
		return []Place{place}
	}
	if !hasRoom(o.Node, p.Path) {
		return nil
	}
	place.Node, place.missing = yamlnode.NewMapping(), true
	return []Place{place}
}

// hasRoom reports whether a mapping can get a value at a path: each value on the way is a
// mapping, or there is none.
func hasRoom(n *yaml.Node, path string) bool {
	steps := strings.Split(path, ".")
	for _, key := range steps[:len(steps)-1] {
		if n = yamlnode.Get(n, key); n == nil {
			return true
		}
		if n.Kind != yaml.MappingNode {
			return false
		}
	}
	return true
}

// Options say what to find in addition to the known kinds.
type Options struct {
	Additional []Path
	// Discover finds PodSpecs in the objects of other kinds.
	Discover bool
}

// Places returns the PodSpecs and the placements of an object.
func Places(o Object, options Options) []Place {
	paths := pathsOf(o.Group(), o.Kind, options.Additional)
	if len(paths) == 0 {
		if options.Discover {
			return discover(o)
		}
		return nil
	}
	var out []Place
	seen := map[*yaml.Node]bool{}
	for _, p := range paths {
		if p.Image != "" || p.Package != "" {
			out = append(out, ofOperator(o, p)...)
			continue
		}
		for _, f := range walk(o.Node, p.Path) {
			if f.node.Kind != yaml.MappingNode || seen[f.node] {
				continue
			}
			seen[f.node] = true
			place := Place{Object: o, Node: f.node, Path: f.path, Shape: p.Shape, Fixed: p.Fixed}
			switch {
			case strings.Contains(p.Path, "[]"):
				place.Key = strings.Join(f.names, "/")
			case len(paths) > 1:
				place.Key = f.path
			}
			if place.Shape == "" {
				place.Shape = PodSpec
			}
			out = append(out, place)
		}
	}
	return withKeys(out)
}

// withKeys replaces keys that are not unique by the place's path.
func withKeys(places []Place) []Place {
	count := map[string]int{}
	for _, p := range places {
		count[p.Key]++
	}
	for i, p := range places {
		if count[p.Key] > 1 || strings.ContainsAny(p.Key, " :;=") || strings.HasPrefix(p.Key, "/") || strings.HasSuffix(p.Key, "/") {
			places[i].Key = p.Path
		}
	}
	return places
}

// discover finds the PodSpecs in an object of an unknown kind: each mapping with a list of
// containers that have an image. It skips metadata, status and CustomResourceDefinitions,
// as kustomize does for images (api/internal/plugins/builtinhelpers, filters/imagetag:
// LegacyFilter).
func discover(o Object) []Place {
	if o.Kind == "CustomResourceDefinition" {
		return nil
	}
	var out []Place
	for key, value := range yamlnode.Fields(o.Node) {
		switch key {
		case "apiVersion", "kind", "metadata", "status":
		default:
			out = append(out, within(o, value, key, 0)...)
		}
	}
	if len(out) > 1 {
		for i, p := range out {
			out[i].Key = p.Path
		}
	}
	return out
}

// deepestField is the maximum depth at which discover looks for a PodSpec.
const deepestField = 32

func within(o Object, n *yaml.Node, path string, depth int) []Place {
	var out []Place
	switch {
	case depth > deepestField:
	case n.Kind == yaml.MappingNode && hasContainers(n):
		out = append(out, Place{Object: o, Node: n, Path: path, Shape: PodSpec})
	case n.Kind == yaml.MappingNode:
		for key, value := range yamlnode.Fields(n) {
			out = append(out, within(o, value, fieldpath.Join(path, key), depth+1)...)
		}
	case n.Kind == yaml.SequenceNode:
		for _, f := range (found{path: path}).elements(n) {
			out = append(out, within(o, f.node, f.path, depth+1)...)
		}
	}
	return out
}

// hasContainers reports whether a mapping has a list of containers with images.
func hasContainers(n *yaml.Node) bool {
	list := yamlnode.Get(n, "containers")
	return list != nil && list.Kind == yaml.SequenceNode &&
		slices.ContainsFunc(list.Content, func(container *yaml.Node) bool { return yamlnode.Text(container, "image") != "" })
}

// found is a node that a path leads to.
type found struct {
	node *yaml.Node
	path string // with the indexes: spec.install.spec.deployments[0].spec
	// names are the names of the list elements on the path; "" for one without a name.
	names []string
}

// walk follows a path such as spec.deployments[].spec from a mapping. It returns nothing if
// the path does not exist.
func walk(n *yaml.Node, path string) []found {
	at := []found{{node: n}}
	for step := range strings.SplitSeq(path, ".") {
		key, isList := strings.CutSuffix(step, "[]")
		var next []found
		for _, f := range at {
			value := yamlnode.Get(f.node, key)
			f.path = fieldpath.Below(f.path, key)
			switch {
			case value == nil:
			case !isList:
				f.node = value
				next = append(next, f)
			case value.Kind == yaml.SequenceNode:
				next = append(next, f.elements(value)...)
			}
		}
		at = next
	}
	return at
}

// elements returns the elements of a list below f.
func (f found) elements(list *yaml.Node) []found {
	var out []found
	for i, element := range list.Content {
		element = yamlnode.Dealias(element)
		out = append(out, found{
			node: element, path: fieldpath.Element(f.path, i),
			names: append(append([]string{}, f.names...), yamlnode.Text(element, "name")),
		})
	}
	return out
}

// tellingFields are fields that identify a PodSpec or a placement. tellingKinds are the
// kinds that may lack them.
var (
	tellingFields = []string{"containers", "nodeSelector", "nodeAffinity", "relatedImages"}
	tellingKinds  = []string{"CatalogSource", "Subscription", "ClusterExtension", csv}
)

// Words returns the words of which each text has one whose items [MayHave] PodSpecs.
func Words() []string { return slices.Concat(tellingFields, tellingKinds) }

// MayHave reports whether an item may hold PodSpecs or placements, whatever kinds a
// configuration names. Such an item has one of the fields that identify them. This package
// can ignore all other items.
func MayHave(item *yaml.Node) bool { return mayHave(item, 0) }

func mayHave(n *yaml.Node, depth int) bool {
	if depth > deepestInItem {
		return false
	}
	if n.Kind == yaml.MappingNode {
		for key, value := range yamlnode.Fields(n) {
			switch {
			case slices.Contains(tellingFields, key), key == "kind" && slices.Contains(tellingKinds, value.Value):
				return true
			}
		}
	}
	for _, child := range n.Content {
		if len(child.Content) > 0 && mayHave(child, depth+1) {
			return true
		}
	}
	return false
}

// deepestInItem is the maximum depth to search in an item, including wrappers and their
// content.
const deepestInItem = 4 * deepestField
