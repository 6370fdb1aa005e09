package object

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

func walkMappings(n *yaml.Node, path string, seen map[*yaml.Node]bool, visit func(m *yaml.Node, path string)) {
	n = yamlnode.Dealias(n)
	if seen[n] {
		return
	}
	seen[n] = true
	switch n.Kind {
	case yaml.MappingNode:
		visit(n, path)
		for key, value := range yamlnode.Pairs(n) { // also of what a merge key brings
			walkMappings(value, fieldpath.Join(path, yamlnode.Dealias(key).Value), seen, visit)
		}
	case yaml.SequenceNode:
		for i, element := range n.Content {
			walkMappings(element, fieldpath.Element(path, i), seen, visit)
		}
	case yaml.DocumentNode:
		for _, child := range n.Content {
			walkMappings(child, path, seen, visit)
		}
	case yaml.ScalarNode, yaml.AliasNode:
	}
}

// Ref names an object, as far as its fields are readable. The accessors of kyaml panic if
// metadata is not a mapping.
func Ref(n *yaml.RNode) finding.Object {
	return finding.Object{
		APIVersion: TextAt(n, "apiVersion"), Kind: TextAt(n, "kind"),
		Namespace: TextAt(n, "metadata", "namespace"), Name: TextAt(n, "metadata", "name"),
	}
}

// SetPlace notes the file that an item was read from, and its index there. The note is in the Value of its
// mapping, which YAML has no use for: copies of the item have it too, and nobody writes it.
func SetPlace(item *yaml.RNode, file string, index int) {
	item.YNode().Value = strconv.Itoa(index) + placeSeparator + file
}

const placeSeparator = ":"

// readPlace returns what [SetPlace] has noted; false for an item that a host passed on.
func readPlace(item *yaml.RNode) (file string, index int, ok bool) {
	n := item.YNode()
	if n == nil || n.Kind != yaml.MappingNode {
		return "", 0, false
	}
	number, file, ok := strings.Cut(n.Value, placeSeparator)
	index, _ = strconv.Atoi(number) // SetPlace wrote it
	return file, index, ok
}

// Place returns the file and index that the reader noted, or that the host put on an item. The file
// is "" where the host invented one that does not exist. kustomize names one for each item that
// a generator or another function returns, and none for an item that it read from a file. kpt
// names one for an item that another function added, and gives it no index.
func Place(item *yaml.RNode) (string, int) {
	if file, index, ok := readPlace(item); ok {
		return file, index
	}
	number := cmp.Or(Annotation(item, kioutil.IndexAnnotation), Annotation(item, kioutil.LegacyIndexAnnotation)) //nolint:staticcheck // older hosts
	if IsFromKustomize(item) || PackageOf(item) != "" && number == "" {
		return "", 0
	}
	index, err := strconv.Atoi(number)
	if err != nil {
		index = 0
	}
	return cmp.Or(Annotation(item, kioutil.PathAnnotation), Annotation(item, kioutil.LegacyPathAnnotation)), index //nolint:staticcheck // older hosts
}

// Rename gives items that were read from a file another one in its place.
func Rename(items []*yaml.RNode, name func(file string) string) {
	for _, item := range items {
		if file, index, ok := readPlace(item); ok {
			SetPlace(item, name(file), index)
		}
	}
}

// CopyPlace gives an item the place of the one that it replaces, if that was read from a file.
func CopyPlace(to, from *yaml.RNode) {
	if file, index, ok := readPlace(from); ok {
		SetPlace(to, file, index)
	}
}

// Annotate writes the place of an item that was read from a file into its annotations, where hosts
// expect it.
func Annotate(item *yaml.RNode) error {
	file, index, ok := readPlace(item)
	if !ok {
		return nil
	}
	for _, note := range [][2]string{{kioutil.PathAnnotation, file}, {kioutil.IndexAnnotation, strconv.Itoa(index)}} {
		if err := item.PipeE(yaml.SetAnnotation(note[0], note[1])); err != nil {
			return fmt.Errorf("annotate the item: %w", err)
		}
	}
	return nil
}

// Annotation returns an annotation of an object; "" if the object does not have that key.
func Annotation(n *yaml.RNode, key string) string { return TextAt(n, "metadata", "annotations", key) }

// TextAt returns the text at a path of keys; "" if the path does not exist.
func TextAt(n *yaml.RNode, path ...string) string { return yamlnode.Text(n.YNode(), path...) }

// NodeAt returns the node at a path of keys; nil if the path does not exist.
func NodeAt(n *yaml.RNode, path ...string) *yaml.Node {
	node := n.YNode()
	for _, key := range path {
		if node == nil {
			return nil
		}
		node, _ = yamlnode.Child(node, key)
	}
	return yamlnode.Dealias(node)
}

// IsFromKustomize reports whether kustomize passes an item to a function: it records the
// identity of each (kustomize api/internal/plugins/utils/utils.go: idAnnotation).
func IsFromKustomize(item *yaml.RNode) bool {
	return Annotation(item, "kustomize.config.k8s.io/id") != ""
}

// IsFromKpt reports whether kpt passes an item to a function.
func IsFromKpt(item *yaml.RNode) bool { return PackageOf(item) != "" && !IsFromKustomize(item) }

// PackageAnnotation is where kpt notes the directory of the package of an item.
const PackageAnnotation = "internal.config.kubernetes.io/package-path"

// PackageOf returns the directory of the package that kpt read an item from; "" if the item
// does not say.
func PackageOf(item *yaml.RNode) string {
	return Annotation(item, PackageAnnotation)
}

// Index finds the item that a finding is about. A run has a finding for each of thousands
// of items, so it must not search all of them for each one.
type Index struct {
	at map[filePlace][]*yaml.RNode
}

// filePlace is the place of an item in a file.
type filePlace struct {
	file  string
	index int
}

// NewIndex returns an index of items.
func NewIndex(items []*yaml.RNode) Index {
	out := Index{at: make(map[filePlace][]*yaml.RNode, len(items))}
	for _, item := range items {
		file, index := Place(item)
		at := filePlace{file, index}
		out.at[at] = append(out.at[at], item)
	}
	return out
}

// Items returns the items at the place of an object: kustomize builds several from one document,
// and several packages of kpt can have a file of one name.
func (x Index) Items(o finding.Object) []*yaml.RNode { return x.at[filePlace{o.File, o.Index}] }

// Item returns the item that an object is, or that the object is in; nil if there is none.
func (x Index) Item(o finding.Object) *yaml.RNode {
	var out *yaml.RNode
	for _, item := range x.Items(o) {
		if out == nil || TextAt(item, "kind") == o.Kind && TextAt(item, "metadata", "name") == o.Name {
			out = item
		}
	}
	return out
}
