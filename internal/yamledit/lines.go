package yamledit

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// replaceLines changes the lines of a literal block that differ. It reports false if the
// block cannot have the new value, or the place is not a literal block.
func (e *edit) replaceLines(p *place, want *yaml.Node, s style) bool {
	if p.node.Kind != yaml.ScalarNode || p.node.Style&yaml.LiteralStyle == 0 || p.inner == 0 ||
		want.Kind != yaml.ScalarNode || want.ShortTag() != yaml.NodeTagString || strings.ContainsAny(want.Value, "\r\u0085\u2028\u2029") {
		return false
	}
	was, now := strings.TrimRight(p.node.Value, "\n"), strings.TrimRight(want.Value, "\n")
	indented := strings.ContainsAny(e.header(p), "123456789")
	switch {
	case was == "" || now == "" || len(p.node.Value)-len(was) != len(want.Value)-len(now):
		return false // the last line breaks are a matter of the header
	case !indented && strings.ContainsAny(now[:1], " \t\n"):
		return false // the first line gives the indentation
	}
	old, next := strings.Split(was, "\n"), strings.Split(now, "\n")
	ends := e.lineEnds(p, len(old))
	kept := keptLines(old, next)
	done := 0 // lines of the old text
	for j := 0; j < len(next) || done < len(old); {
		begin := j
		for j < len(next) && kept[j] < 0 {
			j++
		}
		to := len(old)
		if j < len(next) {
			to = kept[j]
		}
		if begin < j || done < to {
			var text strings.Builder
			for _, line := range next[begin:j] {
				text.WriteString(s.lineBreak)
				if line != "" {
					text.WriteString(spaces(p.inner) + line)
				}
			}
			e.splice(ends[done], ends[to], text.String())
		}
		done, j = to+1, j+1
	}
	return true
}

// header returns the indicators of a block scalar.
func (e *edit) header(p *place) string { return string(headerAt(e.text, p.content)) }

// headerAt returns the indicators of the block scalar at an offset, such as "|-2", without
// the comment behind them.
func headerAt(text []byte, at int) []byte {
	end := at
	for end < len(text) && !isBlank(text[end]) && breakAt(text, end) == 0 {
		end++
	}
	return text[at:end]
}

// lineEnds returns where the header of a block scalar ends, and each of its lines.
func (e *edit) lineEnds(p *place, lines int) []int {
	out := []int{lineEnd(e.text, p.content)}
	for range lines {
		out = append(out, lineEnd(e.text, nextLine(e.text, out[len(out)-1])))
	}
	return out
}

// maxLines is the maximum number of comparisons to align the lines of two texts. Above
// that, all lines between the first and the last difference are new.
const maxLines = 1 << 22

// keptLines returns, for each line of the new text, the line of the old text that stays in
// its place, or -1. As many lines as possible stay.
func keptLines(old, next []string) []int {
	out := slices.Repeat([]int{-1}, len(next))
	head := 0
	for head < len(old) && head < len(next) && old[head] == next[head] {
		out[head] = head
		head++
	}
	i, j := len(old), len(next)
	for i > head && j > head && old[i-1] == next[j-1] {
		i, j = i-1, j-1
		out[j] = i
	}
	rows, columns := i-head, j-head
	if rows*columns == 0 || rows > maxLines/columns {
		return out
	}
	best := make([][]int, rows+1)
	best[rows] = make([]int, columns+1)
	for a := rows - 1; a >= 0; a-- {
		best[a] = make([]int, columns+1)
		for b := columns - 1; b >= 0; b-- {
			best[a][b] = max(best[a+1][b], best[a][b+1])
			if old[head+a] == next[head+b] {
				best[a][b] = best[a+1][b+1] + 1
			}
		}
	}
	for a, b := 0, 0; a < rows && b < columns; {
		switch {
		case old[head+a] == next[head+b]:
			out[head+b] = head + a
			a, b = a+1, b+1
		case best[a+1][b] >= best[a][b+1]:
			a++
		default:
			b++
		}
	}
	return out
}
