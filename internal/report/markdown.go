package report

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// signs are the symbols of the severities.
var signs = map[finding.Severity]string{finding.Error: "❌", finding.Warning: "⚠️", finding.Info: "ℹ️"}

// Markdown writes a check for a comment on a pull request.
func Markdown(w io.Writer, c Check) error {
	var out bytes.Buffer
	sign := "✅"
	if !c.Passed() {
		sign = signs[finding.Error]
	}
	fmt.Fprintf(&out, "## %s %s\n\n%s\n", sign, c.heading(), markdown(c.lastLine()))
	if len(c.Findings) > 0 {
		out.WriteString("\n| | Finding | Where | What |\n|---|---|---|---|\n")
	}
	for _, f := range c.grouped() {
		at := markdown(objectIn(f.Finding))
		if place := location(f.Finding); place != "" {
			at = strings.TrimPrefix(at+"<br>"+markdown(place), "<br>")
		}
		fmt.Fprintf(&out, "| %s %s | [%s](%s) | %s | %s |\n", signs[f.Severity], f.Severity, f.ID, help(f.ID), at, markdown(f.Message()))
	}
	for _, one := range c.Forecast {
		fmt.Fprintf(&out, "\n### %s\n", markdown(subject(one.Object)))
		if caption := c.caption(one); caption != "" {
			fmt.Fprintf(&out, "\n%s\n", caption)
		}
		if shown := one.Shown(); shown != nil {
			fmt.Fprintf(&out, "\n%s\n", markdown(clusterLine(*shown)))
			writeMarkdownTable(&out, templates(*shown, withDeclared))
			if line := lackingLine(*shown); line != "" {
				fmt.Fprintf(&out, "\n%s\n", markdown(line))
			}
			if restsOnDocumentation(*shown) {
				fmt.Fprintf(&out, "\n%s\n", markdown(documented+" "+legend))
			}
		}
		for _, s := range c.sections(one) {
			fmt.Fprintf(&out, "\n<details><summary>%s</summary>\n\n", s.title)
			for _, row := range s.rows {
				fmt.Fprintf(&out, "- %s\n", markdown(row))
			}
			out.WriteString("\n</details>\n")
		}
	}
	if c.Repository != nil {
		out.WriteString("\n### The repository\n")
		writeMarkdownTable(&out, c.Repository.clusterGrid())
		out.WriteString("\n")
		for _, line := range c.Repository.lines() {
			fmt.Fprintf(&out, "- %s\n", markdown(line))
		}
	}
	return write(w, &out)
}

func writeMarkdownTable(out *bytes.Buffer, g grid) {
	if len(g.rows) == 0 {
		return
	}
	out.WriteString("\n")
	writeMarkdownRow(out, g.header)
	out.WriteString(strings.Repeat("|---", len(g.header)) + "|\n")
	for _, row := range g.rows {
		writeMarkdownRow(out, row)
	}
}

func writeMarkdownRow(out *bytes.Buffer, row []string) {
	for _, cell := range row {
		out.WriteString("| " + markdown(cell) + " ")
	}
	out.WriteString("|\n")
}

// special are the characters with a special meaning in Markdown, or in HTML within it.
var special = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", `\|`, `\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`,
	"[", `\[`, "]", `\]`, "!", `\!`, "$", `\$`,
)

// mention matches the beginning of text that GitHub and GitLab turn into a mention of a
// person or another thread, or into a link.
var mention = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[^\w])([@#])|(https?|ftp)(:)|\b(www)(\.)`)
})

// markdown escapes a text and keeps its look: a zero-width character breaks what would
// become a mention or a link.
func markdown(s string) string {
	s = special.Replace(sanitize.Line(s))
	return mention().ReplaceAllString(s, "$1$2$3$5&#8203;$4$6")
}
