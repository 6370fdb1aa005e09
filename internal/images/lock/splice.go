package lock

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// block is the lines of an entry, with the comments above it.
type block struct {
	reference string // normalized
	head      []string
	lines     []string
}

// spliced makes the changes in the lines of a document. It returns false if the document
// does not have a line "images:" with entries below it.
func spliced(document string, changes []Change) (string, bool) {
	ends := lineEnd(document)
	if !strings.HasSuffix(document, "\n") {
		document += ends
	}
	lines := strings.SplitAfter(document, "\n")
	lines = lines[:len(lines)-1]
	first, end, indent, blocks, ok := blocksOf(plain(document), lines)
	if !ok {
		return "", false
	}
	for _, c := range changes {
		i := slices.IndexFunc(blocks, func(b block) bool { return b.reference == c.Reference() })
		switch {
		case c.Answer == nil && i >= 0:
			blocks = slices.Delete(blocks, i, i+1)
		case c.Answer != nil && i >= 0:
			text, err := edited(plain(strings.Join(blocks[i].lines, "")), *c.Answer, indent)
			if err != nil {
				return "", false
			}
			blocks[i].lines = []string{ended(text, ends)}
		case c.Answer != nil:
			text, err := written(*c.Answer, indent)
			if err != nil {
				return "", false
			}
			blocks = append(blocks, block{reference: c.Answer.Reference, lines: []string{ended(text, ends)}})
		}
	}
	if len(blocks) == 0 {
		return "", false
	}
	slices.SortStableFunc(blocks, func(a, b block) int { return strings.Compare(a.reference, b.reference) })
	var b strings.Builder
	b.WriteString(strings.Join(lines[:first], ""))
	for _, one := range blocks {
		b.WriteString(strings.Join(one.head, "") + strings.Join(one.lines, ""))
	}
	b.WriteString(strings.Join(lines[end:], ""))
	return b.String(), true
}

// blocksOf cuts the list of a document into its entries. first and end are the lines of the
// list, and indent is the number of blanks before each dash.
func blocksOf(document string, lines []string) (first, end, indent int, blocks []block, ok bool) {
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(document), &node); err != nil || len(node.Content) != 1 {
		return 0, 0, 0, nil, false
	}
	list := valueOf(node.Content[0], "images")
	if list == nil || list.Kind != yaml.SequenceNode || list.Style&yaml.FlowStyle != 0 || len(list.Content) == 0 {
		return 0, 0, 0, nil, false
	}
	var starts []int
	for _, item := range list.Content {
		ref, err := imageref.Parse(textOf(item, "reference"))
		start := dashAbove(lines, item.Line-1)
		if err != nil || start < 0 || item.Kind != yaml.MappingNode {
			return 0, 0, 0, nil, false
		}
		starts = append(starts, start)
		blocks = append(blocks, block{reference: ref.String()})
	}
	indent = indentOf(lines[starts[0]])
	first = headOf(lines, starts[0], lineOf(node.Content[0], "images"))
	end = headOf(lines, endOf(lines, starts[len(starts)-1], indent), starts[len(starts)-1]+1)
	from := first
	for i, start := range starts {
		to := end
		if i+1 < len(starts) {
			to = headOf(lines, starts[i+1], start+1)
		}
		if start < from || to <= start || indentOf(lines[start]) != indent {
			return 0, 0, 0, nil, false
		}
		blocks[i].head, blocks[i].lines = lines[from:start], lines[start:to]
		from = to
	}
	return first, end, indent, blocks, true
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
