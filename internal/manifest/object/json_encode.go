package object

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// asJSON returns a node as kubectl and the API server would read it from its text. It
// returns false if the node has aliases, duplicate keys, or keys that are not plain words.
// The caller must then read the text itself.
func asJSON(n *yaml.Node) ([]byte, bool) {
	var w jsonWriter
	ok := w.node(n)
	return w.Bytes(), ok
}

type jsonWriter struct{ bytes.Buffer }

func (w *jsonWriter) node(n *yaml.Node) bool {
	switch {
	case n.Kind == yaml.DocumentNode && len(n.Content) == 1:
		return w.node(n.Content[0])
	case n.Anchor != "" || n.Style&yaml.TaggedStyle != 0:
		return false
	case n.Kind == yaml.MappingNode:
		return w.mapping(n)
	case n.Kind == yaml.SequenceNode:
		return w.sequence(n)
	case n.Kind == yaml.ScalarNode:
		return w.scalar(n)
	}
	return false
}

func (w *jsonWriter) mapping(n *yaml.Node) bool {
	w.WriteByte('{')
	if yamlnode.HasRepeatedKey(n) {
		return false
	}
	first := true
	for key, value := range yamlnode.Pairs(n) {
		if key.Anchor != "" || !isText(key) {
			return false
		}
		if !first {
			w.WriteByte(',')
		}
		first = false
		w.text(key.Value)
		w.WriteByte(':')
		if !w.node(value) {
			return false
		}
	}
	w.WriteByte('}')
	return true
}

func (w *jsonWriter) sequence(n *yaml.Node) bool {
	w.WriteByte('[')
	for i, element := range n.Content {
		if i > 0 {
			w.WriteByte(',')
		}
		if !w.node(element) {
			return false
		}
	}
	w.WriteByte(']')
	return true
}

func (w *jsonWriter) scalar(n *yaml.Node) bool {
	switch tag := n.ShortTag(); {
	case isText(n):
		w.text(n.Value)
	case n.Style == 0 && tag == yaml.NodeTagInt && isNumber(n.Value),
		n.Style == 0 && tag == yaml.NodeTagBool && (n.Value == "true" || n.Value == "false"):
		w.WriteString(n.Value)
	default:
		return w.ambiguous(n)
	}
	return true
}

// ambiguous writes a scalar that the versions of YAML may read differently: it parses the
// scalar's text.
func (w *jsonWriter) ambiguous(n *yaml.Node) bool {
	text, err := yaml.NewRNode(&yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}).String()
	if err != nil {
		return false
	}
	data, err := k8syaml.YAMLToJSON([]byte(text))
	if err != nil {
		return false
	}
	w.Write(bytes.TrimSpace(data))
	return true
}

// isText reports whether a scalar is a text in every version of YAML. Such a scalar is
// quoted, a block, or plain. A plain one is not a number, not a date, and not one of the
// words with a meaning (go-yaml v2 resolve.go: resolveTable).
func isText(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != yaml.NodeTagString || !utf8.ValidString(n.Value) {
		return false
	}
	switch n.Style {
	case yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle, yaml.LiteralStyle, yaml.FoldedStyle:
		return true
	case 0:
	default:
		return false
	}
	if n.Value == "" {
		return false
	}
	switch first := n.Value[0]; {
	case first >= '0' && first <= '9':
		return strings.ContainsAny(n.Value, nonNumeric)
	case first >= 'a' && first <= 'z' || first >= 'A' && first <= 'Z' || first == '/':
		return len(n.Value) > len("false") || !boolWords[strings.ToLower(n.Value)]
	}
	return false
}

// nonNumeric has letters and signs that occur in no number, in whatever base, and in no date. So
// 10Gi is a text, and so is the schedule of a cron job.
const nonNumeric = "*/ghijklmnpqrsuvwyGHIJKLMNPQRSUVWY"

// boolWords are words, in lower case, that mean a Boolean or null in some version of YAML.
var boolWords = map[string]bool{
	"y": true, "yes": true, "n": true, "no": true, "on": true, "off": true, "true": true, "false": true, "null": true,
}

// isNumber reports whether a text is a number to every reader of numbers.
func isNumber(s string) bool {
	const longest = 15 // digits that a float64 holds
	return len(s) <= longest && (s[0] != '0' || len(s) == 1) && strings.Trim(s, "0123456789") == ""
}

// text writes a JSON text.
func (w *jsonWriter) text(s string) {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == '"' || s[i] == '\\' {
			data, err := json.Marshal(s)
			if err != nil {
				panic(fmt.Sprintf("encode a text: %v", err)) // every text can be encoded
			}
			w.Write(data)
			return
		}
	}
	w.WriteByte('"')
	w.WriteString(s)
	w.WriteByte('"')
}

// IsDump reports whether an object was read from a cluster. Only the API server sets a uid,
// a resourceVersion and a status with content. Tools that write manifests from Go types
// leave "status: {}", which does not count.
func IsDump(n *yaml.Node) bool {
	return DumpField(n) != ""
}

// serverFields are the fields below metadata that only the API server sets.
var serverFields = []string{"creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"}

// ServerFields returns the paths of the fields that only a cluster sets, with content:
// "metadata.uid", "status". Tools that write manifests from Go types leave empty ones, which
// do not count.
func ServerFields(n *yaml.Node) []string {
	o := yaml.NewRNode(n)
	var out []string
	for _, field := range serverFields {
		value := NodeAt(o, "metadata", field)
		if value != nil && value.Tag != yaml.NodeTagNull && (value.Value != "" || len(value.Content) > 0) {
			out = append(out, "metadata."+field)
		}
	}
	if status := NodeAt(o, "status"); status != nil && len(status.Content) > 0 {
		out = append(out, "status")
	}
	return out
}

// RemoveServerFields removes the fields that only a cluster sets.
func RemoveServerFields(n *yaml.Node) {
	yamlnode.Remove(n, "status")
	if metadata := NodeAt(yaml.NewRNode(n), "metadata"); metadata != nil {
		for _, field := range serverFields {
			yamlnode.Remove(metadata, field)
		}
	}
}

// DumpField returns the field that shows that an object was read from a cluster; "" if no
// field shows it.
func DumpField(n *yaml.Node) string {
	o := yaml.NewRNode(n)
	switch status := NodeAt(o, "status"); {
	case status != nil && len(status.Content) > 0:
		return "status"
	case TextAt(o, "metadata", "uid") != "":
		return "metadata.uid"
	case TextAt(o, "metadata", "resourceVersion") != "":
		return "metadata.resourceVersion"
	default:
		return ""
	}
}

// Copy returns a copy of an item that shares nothing with it, with its YAML anchors and
// merge keys expanded. Otherwise an edit below an alias would change every place that uses
// the anchor. An edit beside a merge key would hide what that key merges.
func Copy(item *yaml.RNode) (*yaml.RNode, error) {
	if !yamlnode.HasAlias(item.YNode()) && !yamlnode.HasMergeKey(item.YNode()) {
		return item.Copy(), nil
	}
	if !IsFinite(item.YNode()) {
		return nil, yamlnode.ErrAnchors
	}
	out := yaml.NewRNode(yamlnode.Copy(item.Document()))
	if err := out.DeAnchor(); err != nil {
		return nil, fmt.Errorf("expand the YAML anchors: %w", err)
	}
	return out, nil
}

// IsFinite reports whether an object is finite, and not too large, when its aliases are
// followed.
func IsFinite(n *yaml.Node) bool {
	return !yamlnode.HasAlias(n) || !errors.Is(yamlnode.CheckSize(n), yamlnode.ErrAnchors)
}
