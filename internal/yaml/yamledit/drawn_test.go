package yamledit_test

import (
	"fmt"
	"math/rand/v2"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Texts of all kinds: plain ones, ones that need quotes, and ones that an encoder
// spoils.
var texts = []string{
	"amd64", "amd64,arm64", "true", "12", "1.10", "", " x", "a: b", "a #b", "# no comment",
	"é ü ✓", "it's", `a "b" \c`, "- a", "{{ x }}", "*a", "&a", "!a", "|", "%a", "@a", "`a",
	"line\n",
	"two\nlines\n", "two\n\nlines\n  more\n", "kept\n\n\n", "a\tb", "null", "~", "2026-01-02", "0x10",
	"off", "\u0085x", "a\u2028b", "\U0001f600", "a,b: [c]",
	"docker://quay.io/containerdisks/fedora:latest",
}

func text(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: value}
}

func other(value, tag string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}
}

// drawScalar draws a scalar of any type.
func drawScalar(r *rand.Rand) *yaml.Node {
	switch r.IntN(8) {
	case 0:
		return other("true", yaml.NodeTagBool)
	case 1:
		return other(fmt.Sprint(r.IntN(1000)), yaml.NodeTagInt)
	case 2:
		return other("null", yaml.NodeTagNull)
	case 3:
		return other("1.5", yaml.NodeTagFloat)
	}
	return text(texts[r.IntN(len(texts))])
}

// drawTree draws a value of at most so many levels.
func drawTree(r *rand.Rand, depth int) *yaml.Node {
	if depth == 0 || r.IntN(4) == 0 {
		return drawScalar(r)
	}
	if r.IntN(3) == 0 {
		list := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
		for range r.IntN(4) {
			list.Content = append(list.Content, drawTree(r, depth-1))
		}
		return list
	}
	return drawMapping(r, depth, r.IntN(5))
}

func drawMapping(r *rand.Rand, depth, fields int) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	for _, k := range r.Perm(12)[:fields] {
		key := []string{"name", "key", "metadata", "spec", "annotations", "a", "b", "ssp.kubevirt.io/x", "Ünicode", "x-y", "operator", "values"}[k]
		out.Content = append(out.Content, text(key), drawTree(r, depth-1))
	}
	return out
}

// edited makes random edits in a tree.
func edited(r *rand.Rand, n *yaml.Node, depth int) {
	if len(n.Content) == 0 {
		return
	}
	each := 1
	if n.Kind == yaml.MappingNode {
		each = 2
	}
	for range 1 + r.IntN(2) {
		i := r.IntN(len(n.Content)/each) * each
		switch value := &n.Content[i+each-1]; r.IntN(6) {
		case 0:
			entry := []*yaml.Node{drawTree(r, 2)}
			if each == 2 {
				key := fmt.Sprintf("goldenarch.dev/%d", r.IntN(100))
				for k := 0; k < len(n.Content); k += 2 {
					if n.Content[k].Value == key {
						return
					}
				}
				entry = append([]*yaml.Node{text(key)}, entry...)
			}
			at := len(n.Content)
			if r.IntN(2) == 0 {
				at = i
			}
			n.Content = append(n.Content[:at:at], append(entry, n.Content[at:]...)...)
		case 1:
			if len(n.Content) > each || depth > 0 {
				n.Content = append(n.Content[:i:i], n.Content[i+each:]...)
			}
			if len(n.Content) == 0 {
				return
			}
		case 2:
			*value = drawTree(r, 1)
		default:
			edited(r, *value, depth+1)
		}
	}
}
