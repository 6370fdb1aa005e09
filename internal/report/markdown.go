package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// signs are the symbols of the severities.
var signs = map[finding.Severity]string{finding.Error: "❌", finding.Warning: "⚠️", finding.Info: "ℹ️"}

// maxMarkdown is the size in bytes of a report for a comment: what a person reads there. GitHub accepts 65,535 characters.
const maxMarkdown = 30_000

// block is a part of a report that can be cut.
type block struct {
	what string // what its rows are: "finding"
	head string
	rows []string
	tail string
}

func (b block) String() string { return b.head + strings.Join(b.rows, "") + b.tail }

// within returns as much of a block as fits, and says how many rows it omits.
func (b block) within(size int) string {
	const note = 100 // bytes for what follows the rows
	text := b.String()
	switch {
	case len(text) <= size:
		return text
	case len(b.head)+len(b.tail)+note > size:
		return ""
	}
	rest := size - len(b.head) - len(b.tail) - note
	n := 0
	for n < len(b.rows) && len(b.rows[n]) <= rest {
		rest -= len(b.rows[n])
		n++
	}
	if n == 0 {
		return fmt.Sprintf("\n%s more\n", finding.Count(len(b.rows), b.what)) + b.tail
	}
	return b.head + strings.Join(b.rows[:n], "") + fmt.Sprintf("\n%s more\n", finding.Count(len(b.rows)-n, b.what)) + b.tail
}

// Markdown writes a check for a comment on a pull request: the sentence, what the change makes better and worse, the reasons, the
// clusters in which something is wrong, and as much of the rest as fits.
func Markdown(w io.Writer, c Check) error {
	told := c.tell()
	sign := "✅"
	if !c.Passed() {
		sign = signs[finding.Error]
	}
	out := bytes.NewBufferString(fmt.Sprintf("## %s %s\n\n%s\n", sign, c.heading(), markdown(told.sentence())))
	out.WriteString(told.markdownChanges())
	const foot = 1500 // bytes for what follows the blocks
	isCut := false
	add := func(one block, size int) {
		text := one.within(size)
		isCut = isCut || text != one.String()
		out.WriteString(text)
	}
	add(markdownReasons("", told.reasons), maxMarkdown/2)
	for _, one := range told.markdownParts() {
		add(one.markdown(), maxMarkdown-foot-out.Len())
	}
	add(told.markdownRest(), maxMarkdown-foot-out.Len())
	if isCut {
		out.WriteString("\nThis report is too long for a comment, so it is cut. `goldenarch check` with `-o html`, or without `-o`, writes more of it.\n")
	}
	if len(c.Others) > 0 {
		out.WriteString("\n" + markdownList(c.others()))
	}
	fmt.Fprintf(out, "\n%s\n", markdown(c.lastLine()))
	return write(w, "report", out.Bytes())
}

// markdownParts returns the clusters in which something is wrong, or a part for each CR of the only cluster, the operators and the machines.
func (c story) markdownParts() []part {
	var out []part
	if c.ofMany() {
		out = append(out, c.clusterTable())
	} else {
		for i := range c.Forecast {
			out = append(out, c.prediction(i))
		}
	}
	out = append(out, c.operators(true)...)
	if len(c.Machines) > 0 {
		out = append(out, c.machines(c.shownMachines()))
	}
	return out
}

// markdownChanges returns what the change makes worse and better.
func (c story) markdownChanges() string {
	if c.Since == nil {
		return ""
	}
	out := "\n### " + markdown(c.Since.sentence()) + "\n"
	if len(c.worse) > 0 {
		out += markdownReasons("\nMore:\n", c.worse).within(maxMarkdown / 3)
	}
	if len(c.better) > 0 {
		out += markdownLines("\nLess:\n\n", c.better).within(maxMarkdown / 6)
	}
	return out
}

// markdownReasons returns findings with what to do, each with its command and what changes.
func markdownReasons(head string, groups []finding.Group) block {
	out := block{what: "finding", head: head}
	for _, g := range groups {
		f := g[0]
		text := fmt.Sprintf("\n%s %s [%s](%s) %s\n", signs[f.Severity], f.Severity, f.ID, help(f.ID), markdown(about(g)))
		if advice := g.Advised(); advice != "" {
			text += "\n" + markdown(advice) + "\n"
		}
		if commands := shownCommands(g); len(commands) > 0 {
			text += fenced("sh", commands)
		}
		if lines := diffLines(g.Changes()); len(lines) > 0 {
			text += fenced("diff", lines)
		}
		out.rows = append(out.rows, text)
	}
	return out
}

// about returns what findings are about, and the problem.
func about(g finding.Group) string { return strings.TrimPrefix(g.Where()+": "+g.Says(), ": ") }

// fenced returns lines as a block of code, whatever they contain.
func fenced(language string, lines []string) string {
	fence, text := "```", ""
	for _, line := range lines {
		text += console.SafeLine(line) + "\n"
	}
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return "\n" + fence + language + "\n" + text + fence + "\n"
}

// markdownLines returns findings, a line for each group.
func markdownLines(head string, groups []finding.Group) block {
	out := block{what: "finding", head: head}
	for _, g := range groups {
		f := g[0]
		out.rows = append(out.rows, fmt.Sprintf("- %s [%s](%s) %s\n", f.Severity, f.ID, help(f.ID), markdown(strings.TrimSuffix(about(g)+". "+g.Advised(), ". "))))
	}
	return out
}

// markdownRest returns the findings that are no reasons, folded.
func (c story) markdownRest() block {
	if len(c.rest) == 0 {
		return block{}
	}
	out := markdownLines("\n<details><summary>"+finding.Count(len(c.rest), "more finding")+"</summary>\n\n", c.rest)
	out.tail = "\n</details>\n"
	return out
}

// markdown returns a part as a block, with a row for each of its table.
func (p part) markdown() block {
	out := block{what: p.table.what, head: "\n"}
	if p.title != "" {
		out.head += "### " + markdown(p.title) + "\n"
	}
	for _, line := range p.above {
		out.head += "\n" + markdown(line) + "\n"
	}
	if len(p.table.rows) > 0 {
		out.head += "\n" + markdownRow(p.table.header) + strings.Repeat("|---", len(p.table.header)) + "|\n"
	}
	for _, row := range p.table.rows {
		out.rows = append(out.rows, markdownRow(row))
	}
	if p.note != "" {
		out.tail = "\n" + markdown(p.note) + "\n"
	}
	for _, s := range p.lists {
		list := "\n" + markdownList(s.rows)
		if s.title != "" {
			list = "\n<details><summary>" + s.title + "</summary>\n" + list + "\n</details>\n"
		}
		out.tail += list
	}
	return out
}

func markdownList(lines []string) string {
	var out strings.Builder
	for _, line := range lines {
		out.WriteString("- " + markdown(line) + "\n")
	}
	return out.String()
}

func markdownRow(row []string) string {
	var out strings.Builder
	for _, cell := range row {
		out.WriteString("| " + markdown(cell) + " ")
	}
	return out.String() + "|\n"
}

// special are the characters with a special meaning in Markdown, or in HTML within it.
var special = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", `\|`, `\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`,
	"[", `\[`, "]", `\]`, "!", `\!`, "$", `\$`,
)

// mention matches the beginning of text that GitHub and GitLab turn into a mention of a
// person or another thread, or into a link.
var mention = pattern.Of(`(^|[^\w])([@#])|(https?|ftp)(:)|\b(www)(\.)`)

// markdown escapes a text and keeps its look: a zero-width character breaks what would
// become a mention or a link.
func markdown(s string) string {
	s = special.Replace(console.SafeLine(s))
	return mention().ReplaceAllString(s, "$1$2$3$5&#8203;$4$6")
}
