package lock

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// block is the lines of an entry, with the comments above it.
type block struct {
	id    string
	head  []string
	lines []string
}

// blocks are the entries of a list. first and end are the lines of the list, and indent is
// the number of blanks before each dash.
type blocks struct {
	first, end, indent int
	entries            []block
}

// spliced makes the edits in the lines of a document. It returns false if the document does
// not have the list with its entries below its key.
func spliced(document string, l section, edits []edit) (string, bool) {
	ends := lineEnd(document)
	if !strings.HasSuffix(document, "\n") {
		document += ends
	}
	lines := strings.SplitAfter(document, "\n")
	lines = lines[:len(lines)-1]
	cut, key, ok := l.in(plain(document), lines)
	if !ok {
		return "", false
	}
	for _, e := range edits {
		i := slices.IndexFunc(cut.entries, func(b block) bool { return b.id == e.id })
		switch {
		case e.fill == nil && i >= 0:
			cut.entries = slices.Delete(cut.entries, i, i+1)
		case e.fill == nil:
		case i >= 0:
			text, err := edited(plain(strings.Join(cut.entries[i].lines, "")), e.fill, cut.indent)
			if err != nil {
				return "", false
			}
			cut.entries[i].lines = []string{ended(text, ends)}
		default:
			text, err := written(e.fill, cut.indent)
			if err != nil {
				return "", false
			}
			cut.entries = append(cut.entries, block{id: e.id, lines: []string{ended(text, ends)}})
		}
	}
	if len(cut.entries) == 0 {
		return "", false
	}
	slices.SortStableFunc(cut.entries, func(a, b block) int { return strings.Compare(a.id, b.id) })
	var b strings.Builder
	b.WriteString(strings.Join(lines[:cut.first], "") + ended(key, ends))
	for _, one := range cut.entries {
		b.WriteString(strings.Join(one.head, "") + strings.Join(one.lines, ""))
	}
	b.WriteString(strings.Join(lines[cut.end:], ""))
	return b.String(), true
}

// in returns the entries of the list in a document, or the place and the key of a list that
// does not exist yet.
func (l section) in(document string, lines []string) (cut blocks, key string, ok bool) {
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(document), &node); err != nil || len(node.Content) != 1 {
		return blocks{}, "", false
	}
	if l.after == nil || yamlnode.Value(node.Content[0], l.key) != nil {
		cut, ok = l.blocksIn(node.Content[0], lines)
		return cut, "", ok
	}
	before, ok := l.after.blocksIn(node.Content[0], lines)
	return blocks{first: before.end, end: before.end, indent: before.indent}, l.key + ":\n", ok
}

// blocksIn cuts the list of an object into its entries.
func (l section) blocksIn(object *yaml.Node, lines []string) (blocks, bool) {
	node := yamlnode.Value(object, l.key)
	if node == nil || node.Kind != yaml.SequenceNode || node.Style&yaml.FlowStyle != 0 || len(node.Content) == 0 {
		return blocks{}, false
	}
	var out blocks
	var starts []int
	for _, item := range node.Content {
		id, ok := l.id(item)
		start := dashAbove(lines, item.Line-1)
		if !ok || start < 0 || item.Kind != yaml.MappingNode {
			return blocks{}, false
		}
		starts = append(starts, start)
		out.entries = append(out.entries, block{id: id})
	}
	out.indent = indentOf(lines[starts[0]])
	out.first = headOf(lines, starts[0], lineOf(object, l.key))
	out.end = headOf(lines, endOf(lines, starts[len(starts)-1], out.indent), starts[len(starts)-1]+1)
	from := out.first
	for i, start := range starts {
		to := out.end
		if i+1 < len(starts) {
			to = headOf(lines, starts[i+1], start+1)
		}
		if start < from || to <= start || indentOf(lines[start]) != out.indent {
			return blocks{}, false
		}
		out.entries[i].head, out.entries[i].lines = lines[from:start], lines[start:to]
		from = to
	}
	return out, true
}

// dashAbove returns the line at which an entry begins.
func dashAbove(lines []string, line int) int {
	for ; line >= 0 && line < len(lines); line-- {
		if strings.HasPrefix(strings.TrimLeft(lines[line], " "), "-") {
			return line
		}
	}
	return -1
}

// headOf returns the first of the blank and comment lines above a line. It does not go
// above the line lowest.
func headOf(lines []string, line, lowest int) int {
	for line > lowest && isComment(lines[line-1]) {
		line--
	}
	return line
}

// endOf returns the line after the list whose last entry begins at start: the next key of
// the document, its end marker, or its end.
func endOf(lines []string, start, indent int) int {
	for i := start + 1; i < len(lines); i++ {
		if !isComment(lines[i]) && indentOf(lines[i]) <= indent {
			return i
		}
	}
	return len(lines)
}

func isComment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "#")
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
