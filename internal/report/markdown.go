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

// maxMarkdown is the size of a comment that GitHub accepts. It counts characters, and this
// bytes, so that there is always room for the rest of a comment.
const maxMarkdown = 65535

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

// Markdown writes a check for a comment on a pull request. What is too long for one has the
// summary, the clusters of a repository, and as much of the rest as fits.
func Markdown(w io.Writer, c Check) error {
	sign := "✅"
	if !c.Passed() {
		sign = signs[finding.Error]
	}
	head := fmt.Sprintf("## %s %s\n\n%s\n", sign, c.heading(), markdown(c.lastLine())) + c.Since.markdown(c)
	found, forecasts, machines, clusters := c.markdownFindings(), c.markdownForecasts(), c.markdownMachines(), c.markdownClusters()
	out := bytes.NewBufferString(head + found.String())
	for _, one := range forecasts {
		out.WriteString(one.String())
	}
	out.WriteString(machines.String() + clusters.String())
	if out.Len() <= maxMarkdown {
		return write(w, "report", out.Bytes())
	}
	short := bytes.NewBufferString(head)
	short.WriteString("\nThis report is too long for a comment, so it is cut. `goldenarch check` with `-o html`, or without `-o`, writes all of it.\n")
	short.WriteString(clusters.within((maxMarkdown - short.Len()) / 4))
	short.WriteString(found.within((maxMarkdown - short.Len()) * 3 / 4))
	for i, one := range forecasts {
		const note = 100
		if short.Len()+len(one.String()) > maxMarkdown-note {
			fmt.Fprintf(short, "\n%s more\n", finding.Count(len(forecasts)-i, "prediction"))
			break
		}
		short.WriteString(one.String())
	}
	short.WriteString(machines.within(maxMarkdown - short.Len()))
	return write(w, "report", short.Bytes())
}

func (c Check) markdownFindings() block {
	if len(c.Findings) == 0 {
		return block{}
	}
	out := block{what: "finding", head: "\n| | Finding | Where | What |\n|---|---|---|---|\n"}
	for _, f := range c.grouped() {
		at := markdown(objectIn(f.Finding))
		if place := location(f.Finding); place != "" {
			at = strings.TrimPrefix(at+"<br>"+markdown(place), "<br>")
		}
		out.rows = append(out.rows, fmt.Sprintf("| %s %s | [%s](%s) | %s | %s |\n", signs[f.Severity], f.Severity, f.ID, help(f.ID), at, markdown(f.Message())))
	}
	return out
}

// markdownForecasts returns a block for each prediction.
func (c Check) markdownForecasts() []block {
	byObject := c.reportedByObject()
	all := make([]block, 0, len(c.Forecast))
	for _, one := range c.Forecast {
		var out bytes.Buffer
		fmt.Fprintf(&out, "\n### %s\n", markdown(subject(one.Object)))
		if caption := c.caption(one); caption != "" {
			fmt.Fprintf(&out, "\n%s\n", caption)
		}
		if shown := one.Shown(); shown != nil {
			fmt.Fprintf(&out, "\n%s\n", markdown(clusterLine(*shown)))
			out.WriteString(markdownTable("", "", templates(*shown, withDeclared)).String())
			if line := lackingLine(*shown); line != "" {
				fmt.Fprintf(&out, "\n%s\n", markdown(line))
			}
			if restsOnDocumentation(*shown) {
				fmt.Fprintf(&out, "\n%s\n", markdown(documented+" "+c.legend(one)))
			}
		}
		for _, s := range c.sections(one, byObject) {
			fmt.Fprintf(&out, "\n<details><summary>%s</summary>\n\n", s.title)
			for _, row := range s.rows {
				fmt.Fprintf(&out, "- %s\n", markdown(row))
			}
			out.WriteString("\n</details>\n")
		}
		all = append(all, block{head: out.String()})
	}
	return all
}

func (c Check) markdownMachines() block {
	if len(c.Machines) == 0 {
		return block{}
	}
	return markdownTable("machine", "\n### Virtual machines\n", c.machineGrid())
}

func (c Check) markdownClusters() block {
	if c.Repository == nil {
		return block{}
	}
	out := markdownTable("cluster", "\n### The repository\n", c.Repository.clusterGrid())
	out.tail = "\n"
	for _, line := range c.Repository.lines() {
		out.tail += "- " + markdown(line) + "\n"
	}
	return out
}

// markdownTable returns a table as a block, with a row for each of the grid.
func markdownTable(what, title string, g grid) block {
	out := block{what: what, head: title}
	if len(g.rows) == 0 {
		return out
	}
	out.head += "\n" + markdownRow(g.header) + strings.Repeat("|---", len(g.header)) + "|\n"
	for _, row := range g.rows {
		out.rows = append(out.rows, markdownRow(row))
	}
	return out
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
