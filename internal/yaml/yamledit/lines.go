package yamledit

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// replaceLines changes the lines of a literal block that differ. It reports false if the
// block cannot have the new value, or the place is not a literal block.
func (e *edit) replaceLines(p *position, want *yaml.Node, s style) bool {
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
	for _, d := range lcs.DiffLines(old, next) {
		var text strings.Builder
		for _, line := range next[d.ReplStart:d.ReplEnd] {
			text.WriteString(s.lineBreak)
			if line != "" {
				text.WriteString(spaces(p.inner) + line)
			}
		}
		e.splice(ends[d.Start], ends[d.End], text.String())
	}
	return true
}

// header returns the indicators of a block scalar.
func (e *edit) header(p *position) string { return string(headerAt(e.text, p.content)) }

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
func (e *edit) lineEnds(p *position, lines int) []int {
	out := []int{lineEnd(e.text, p.content)}
	for range lines {
		out = append(out, lineEnd(e.text, nextLine(e.text, out[len(out)-1])))
	}
	return out
}

const bom = "\ufeff"

// breakAt returns the length of the line break at an offset, or 0 if there is no line
// break. It recognizes the same breaks as the reader (go.yaml.in/yaml/v3 yamlprivateh.go:
// is_break).
func breakAt(text []byte, at int) int {
	rest := text[at:]
	switch {
	case len(rest) == 0:
		return 0
	case rest[0] == '\n':
		return 1
	case rest[0] == '\r':
		if len(rest) > 1 && rest[1] == '\n' {
			return 2
		}
		return 1
	case bytes.HasPrefix(rest, []byte("\u0085")):
		return len("\u0085")
	case bytes.HasPrefix(rest, []byte("\u2028")), bytes.HasPrefix(rest, []byte("\u2029")):
		return len("\u2028")
	}
	return 0
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

// lineStart returns where the line at an offset begins.
func lineStart(text []byte, at int) int {
	for at > 0 {
		before := at - 1
		for before > 0 && !utf8.RuneStart(text[before]) {
			before--
		}
		if n := breakAt(text, before); n > 0 && before+n == at {
			return at
		}
		at = before
	}
	if bytes.HasPrefix(text, []byte(bom)) {
		return len(bom)
	}
	return 0
}

// lineEnd returns where the text of a line ends, without its line break.
func lineEnd(text []byte, at int) int {
	for at < len(text) && breakAt(text, at) == 0 {
		at++
	}
	return at
}

// nextLine returns where the line after an offset begins.
func nextLine(text []byte, at int) int {
	at = lineEnd(text, at)
	return at + breakAt(text, at)
}

// startsLine reports whether only blanks precede an offset in its line. It does not go
// through the rest of the line, because a JSON document can be one line.
func startsLine(text []byte, at int) bool {
	for at > 0 && isBlank(text[at-1]) {
		at--
	}
	before := text[max(0, at-len(bom)):at] // the longest line break, or byte order mark
	return lineStart(before, len(before)) == len(before)
}

// lineBreakOf returns the line break for new lines of a text: that of its first line.
func lineBreakOf(text []byte) string {
	switch at := bytes.IndexByte(text, '\n'); {
	case at > 0 && text[at-1] == '\r':
		return "\r\n"
	case at < 0 && bytes.IndexByte(text, '\r') >= 0:
		return "\r"
	}
	return "\n"
}

func spaces(n int) string { return strings.Repeat(" ", n) }

// lineAt returns the line number of an offset, counted from 1 as in editors.
func lineAt(text []byte, at int) int { return bytes.Count(text[:at], []byte("\n")) + 1 }
