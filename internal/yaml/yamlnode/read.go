package yamlnode

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// ReadError returns what the reader of YAML says, in one line and without its own names. It
// adds the number of lines before the text that was read, so that it names lines of the file.
func ReadError(err error, before int) error {
	moved := func(number string) string {
		if line, err := strconv.Atoi(number); err == nil {
			return strconv.Itoa(line + before)
		}
		return number
	}
	text := withoutNames(err)
	reasons := strings.Split(strings.TrimPrefix(text, "unmarshal errors:\n"), "\n")
	for i, reason := range reasons {
		reason = strings.TrimSpace(reason)
		if number, why, ok := strings.Cut(strings.TrimPrefix(reason, "line "), ":"); ok && strings.HasPrefix(reason, "line ") {
			reason = "line " + moved(number) + ":" + why
		}
		const twice = " already defined at line "
		if at := strings.LastIndex(reason, twice) + len(twice); at >= len(twice) {
			reason = reason[:at] + moved(reason[at:])
		}
		reasons[i] = reason
	}
	return errors.New(strings.Join(reasons, "; "))
}

func withoutNames(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "MalformedYAMLError: "), "yaml: ")
}

// ErrorLine returns the line that an error of the reader of YAML names, or 1.
func ErrorLine(err error) int {
	line := 0
	_, _ = fmt.Sscanf(withoutNames(err), "line %d:", &line)
	return max(line, 1)
}

// Dealias returns the node that an alias refers to, and any other node unchanged. In YAML,
// an alias never refers to another alias.
func Dealias(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// Root returns the value of a document, and any other node unchanged; nil for an empty
// document. It follows an alias.
func Root(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.DocumentNode {
		if len(n.Content) == 0 {
			return nil
		}
		n = n.Content[0]
	}
	return Dealias(n)
}

// Pairs yields the keys of a mapping and their values, as they are: an alias stays one. It
// follows an alias to the mapping, and yields nothing for another node.
func Pairs(m *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		m := Dealias(m)
		if m == nil || m.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(m.Content); i += 2 {
			if !yield(m.Content[i], m.Content[i+1]) {
				return
			}
		}
	}
}

// Fields yields the texts of the keys of a mapping and their values, as the API server reads
// them: it follows aliases and merge keys. A field of the mapping itself hides one of the same
// name that a merge key brings. Like [Get], it is for reading.
func Fields(m *yaml.Node) iter.Seq2[string, *yaml.Node] {
	return func(yield func(key string, value *yaml.Node) bool) {
		for key, value := range merged(m) {
			if !yield(Dealias(key).Value, Dealias(value)) {
				return
			}
		}
	}
}

// merged yields the keys of a mapping and their values as [Pairs] does, with those that merge keys
// bring in place of these.
func merged(m *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	if !hasMerge(m) {
		return Pairs(m)
	}
	return func(yield func(key, value *yaml.Node) bool) {
		hidden, budget := map[string]bool{}, maxMerged
		yieldMerged(m, hidden, &budget, yield)
	}
}

// maxMerged is the maximum number of mappings that merge keys lead to: one can lead to
// itself.
const maxMerged = 1000

func hasMerge(m *yaml.Node) bool {
	for key := range Pairs(m) {
		if IsMerge(key) {
			return true
		}
	}
	return false
}

// yieldMerged yields the fields of a mapping that are not hidden, and hides them. It reports
// whether the caller wants more.
func yieldMerged(m *yaml.Node, hidden map[string]bool, budget *int, yield func(key, value *yaml.Node) bool) bool {
	if *budget--; *budget < 0 {
		return true
	}
	for key, value := range Pairs(m) {
		name := Dealias(key).Value
		if IsMerge(key) || hidden[name] {
			continue
		}
		hidden[name] = true
		if !yield(key, value) {
			return false
		}
	}
	for key, value := range Pairs(m) {
		if !IsMerge(key) {
			continue
		}
		for _, source := range mergeSources(value) {
			if !yieldMerged(source, hidden, budget, yield) {
				return false
			}
		}
	}
	return true
}

// pair returns the key of a mapping with a text, and its value; nil if there is none. It
// follows aliases, and looks at merge keys for what the mapping does not have itself.
func pair(m *yaml.Node, key string) (k, value *yaml.Node) {
	if m = Dealias(m); m == nil || m.Kind != yaml.MappingNode {
		return nil, nil
	}
	hasMerge := false
	for i := 0; i+1 < len(m.Content); i += 2 { // most of the reading of a run, so no iterator
		k := m.Content[i]
		if Dealias(k).Value == key && !IsMerge(k) {
			return k, m.Content[i+1]
		}
		hasMerge = hasMerge || IsMerge(k)
	}
	if !hasMerge {
		return nil, nil
	}
	for k, value := range merged(m) {
		if Dealias(k).Value == key {
			return k, value
		}
	}
	return nil, nil
}

// mergeSources returns the mappings of a merge key, in order of precedence.
func mergeSources(value *yaml.Node) []*yaml.Node {
	value = Dealias(value)
	if value.Kind != yaml.SequenceNode {
		return []*yaml.Node{value}
	}
	return Elements(value)
}

// IsMerge reports whether the key of a mapping is a merge key: "<<".
func IsMerge(key *yaml.Node) bool { return key.Kind == yaml.ScalarNode && key.Tag == yaml.MergeTag }

// Get returns the value at a path of keys, nil if it is not there or null. It follows aliases and
// merge keys, so its result is for reading: an edit of it can change other places, too.
func Get(n *yaml.Node, path ...string) *yaml.Node {
	n = Root(n)
	for _, key := range path {
		_, value := pair(n, key)
		if n = NonNull(Dealias(value)); n == nil {
			return nil
		}
	}
	return n
}

// Elements returns the elements of the list at a path of keys, none if there is no list. Like
// [Get], it follows aliases.
func Elements(n *yaml.Node, path ...string) []*yaml.Node {
	list := Get(n, path...)
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	out := make([]*yaml.Node, len(list.Content))
	for i, element := range list.Content {
		out[i] = Dealias(element)
	}
	return out
}

// Walk visits the nodes of a tree as they are written: it does not follow aliases.
func Walk(n *yaml.Node, visit func(n *yaml.Node)) {
	visit(n)
	for _, child := range n.Content {
		Walk(child, visit)
	}
}

// Text returns the text at a path of keys, "" if there is none.
func Text(n *yaml.Node, path ...string) string {
	if n = Get(n, path...); n == nil || n.Kind != yaml.ScalarNode || IsNull(n) {
		return ""
	}
	return n.Value
}

// KeyInAnyCase returns the key of a field as a mapping has it. kustomize accepts the names of the
// fields of a kustomization in any case.
func KeyInAnyCase(m *yaml.Node, field string) string {
	out := field
	for key := range Fields(m) {
		switch {
		case key == field:
			return field
		case strings.EqualFold(key, field):
			out = key
		}
	}
	return out
}

// Child returns the value of a key, or the element at an index, and the line where it
// begins; nil if there is none. The value can be an alias, or null.
func Child(n *yaml.Node, step string) (*yaml.Node, int) {
	n = Dealias(n)
	if n != nil && n.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i], n.Content[i].Line
		}
		return nil, 0
	}
	key, value := pair(n, step)
	if key == nil {
		return nil, 0
	}
	return value, key.Line
}

// At returns the node at a path as findings name it, nil if it is not there. It follows
// aliases.
func At(n *yaml.Node, path string) *yaml.Node {
	n = Root(n)
	for _, step := range fieldpath.Steps(path) {
		n, _ = Child(n, step)
	}
	return Dealias(n)
}

// Line returns the line of a field. If the field is missing, it returns the line of its
// nearest parent. The field has the form that a finding uses: "spec.list[2].metadata".
func Line(n *yaml.Node, field string) int {
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		n = n.Content[0]
	}
	line := n.Line
	for _, step := range fieldpath.Steps(field) {
		next, at := Child(n, step)
		if next == nil {
			break
		}
		n, line = next, at
	}
	return line
}

// HasRepeatedKey reports whether a mapping has a duplicate key. Most mappings have few
// keys, so it builds no map for them.
func HasRepeatedKey(n *yaml.Node) bool {
	const smallMapping = 2 * 16
	if len(n.Content) <= smallMapping {
		for i := 0; i+1 < len(n.Content); i += 2 {
			for earlier := 0; earlier < i; earlier += 2 {
				if n.Content[earlier].Value == n.Content[i].Value {
					return true
				}
			}
		}
		return false
	}
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if seen[n.Content[i].Value] {
			return true
		}
		seen[n.Content[i].Value] = true
	}
	return false
}
