package report

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
)

// The page loads no resource and runs no script, whatever its text contains.
const (
	htmlHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s: %s</title>
<style>
%s</style>
</head>
<body>
`
	htmlFoot = "</body>\n</html>\n"
)

// htmlStyle is the style of the page. Short words never break. A column of long names
// and texts has a minimum width and breaks them. Of the templates, only the first column
// breaks. A table that is wider than the page
// scrolls by itself. The colors follow the reader's light or dark mode.
const htmlStyle = `:root {
  color-scheme: light dark;
  --text: #1b1f24; --page: #fff; --line: #c9ced6; --head: #f0f2f5; --link: #0550ae;
  --bad: #ffe3e0; --warn: #fff3d1; --good: #dff5e3; --failed: #b3261e; --passed: #1a7f37;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6e8eb; --page: #14171b; --line: #3d444d; --head: #22272e; --link: #79b8ff;
    --bad: #5a1e1b; --warn: #4d3c0b; --good: #173d24; --failed: #ff8a80; --passed: #57d364;
  }
}
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 100em; padding: 0 1em; color: var(--text); background: var(--page) }
a { color: var(--link) }
h1, h2, h3, p, li { overflow-wrap: break-word }
summary { cursor: pointer }
.table { overflow-x: auto; margin: 1em 0 }
table { border-collapse: collapse; width: 100% }
th, td { border: 1px solid var(--line); padding: .3em .6em; text-align: left; vertical-align: top }
th { background: var(--head); white-space: nowrap }
.templates td { white-space: nowrap }
.templates td:first-child { white-space: normal; min-width: 14em; overflow-wrap: anywhere }
td.where { min-width: 15em; overflow-wrap: anywhere }
td.file { min-width: 8em; overflow-wrap: anywhere }
td.long { min-width: 20em; overflow-wrap: anywhere }
.error, .refused, .overwritten, .removed, .not-created, .import-fails { background: var(--bad) }
.warning { background: var(--warn) }
.imported { background: var(--good) }
.failed { color: var(--failed) }
.passed { color: var(--passed) }
@media (max-width: 40em) {
  body { margin: 1em auto; font-size: 14px }
  .findings, .findings tbody, .findings tr, .findings td { display: block; width: auto; min-width: 0; max-width: none }
  .findings tr { border: 1px solid var(--line); margin: 0 0 .8em }
  .findings tr:first-child { display: none }
  .findings td { border: 0 }
}
`

// HTML writes a check as one page that needs no other file.
func HTML(w io.Writer, c Check) error {
	var out bytes.Buffer
	word := "passed"
	if !c.Passed() {
		word = "failed"
	}
	fmt.Fprintf(&out, htmlHead, c.heading(), word, htmlStyle)
	told := c.tell()
	fmt.Fprintf(&out, "<h1>%s</h1>\n<p class=%q>%s</p>\n<p>%s</p>\n", c.heading(), word, text(told.sentence()), text(c.lastLine()))
	c.Since.html(&out, c)
	writeHTMLFindings(&out, c.grouped())
	byObject := c.reportedByObject()
	for i, one := range c.Forecast {
		fmt.Fprintf(&out, "<h2>%s</h2>\n", text(subject(one.Object)))
		if caption := c.caption(one); caption != "" {
			fmt.Fprintf(&out, "<p>%s</p>\n", caption)
		}
		if shown := one.Shown(); shown != nil {
			fmt.Fprintf(&out, "<p>%s</p>\n", text(clusterLine(*shown)))
			writeHTMLTable(&out, told.images[i].grid(*shown))
			if restsOnDocumentation(*shown) {
				fmt.Fprintf(&out, "<p>%s</p>\n", text(documented+" "+c.legend(one)))
			}
		}
		for _, s := range c.sections(one, byObject) {
			fmt.Fprintf(&out, "<h3>%s</h3>\n<ul>\n", s.title)
			for _, row := range s.rows {
				fmt.Fprintf(&out, "<li>%s</li>\n", text(row))
			}
			out.WriteString("</ul>\n")
		}
	}
	if len(c.Machines) > 0 {
		out.WriteString("<h2>Virtual machines</h2>\n")
		writeHTMLTable(&out, c.machineGrid())
	}
	if c.Repository != nil {
		out.WriteString("<h2>The repository</h2>\n")
		clusters, _ := told.clusterGrid(false)
		writeHTMLTable(&out, clusters)
		out.WriteString("<ul>\n")
		for _, line := range c.Repository.lines() {
			fmt.Fprintf(&out, "<li>%s</li>\n", text(line))
		}
		out.WriteString("</ul>\n")
	}
	fmt.Fprintf(&out, "<p>goldenarch %s</p>\n%s", text(c.Version), htmlFoot)
	return write(w, "report", out.Bytes())
}

func writeHTMLFindings(out *bytes.Buffer, list []grouped) {
	if len(list) == 0 {
		return
	}
	out.WriteString("<div class=\"table\">\n<table class=\"findings\">\n<tr><th>Severity</th><th>Finding</th><th>Where</th><th>File</th><th>What</th></tr>\n")
	for _, f := range list {
		fmt.Fprintf(out,
			"<tr class=%q><td>%s</td><td><a href=%q title=%q>%s</a></td><td class=\"where\">%s</td><td class=\"file\">%s</td><td class=\"long\">%s</td></tr>\n",
			f.Severity, f.Severity, help(f.ID), text(f.ID.Title()), f.ID, breakable(objectIn(f.Finding)), breakable(location(f.Finding)), text(f.Message()))
	}
	out.WriteString("</table>\n</div>\n")
}

func writeHTMLTable(out *bytes.Buffer, g grid) {
	if len(g.rows) == 0 {
		return
	}
	out.WriteString("<div class=\"table\">\n<table class=\"templates\">\n<tr>")
	for _, cell := range g.header {
		fmt.Fprintf(out, "<th>%s</th>", text(cell))
	}
	out.WriteString("</tr>\n")
	for _, row := range g.rows {
		out.WriteString("<tr>")
		for _, cell := range row {
			if class, ok := classes[strings.TrimSuffix(cell, documented)]; ok {
				fmt.Fprintf(out, "<td class=%q>%s</td>", class, text(cell))
				continue
			}
			fmt.Fprintf(out, "<td>%s</td>", text(cell))
		}
		out.WriteString("</tr>\n")
	}
	out.WriteString("</table>\n</div>\n")
}

// breakable escapes a name or a path, and allows line breaks between its parts.
func breakable(s string) string {
	return breaks.Replace(text(s))
}

var breaks = strings.NewReplacer("/", "/<wbr>", ".", ".<wbr>", "[", "<wbr>[", ",", ",<wbr>")

// classes are the CSS classes of the words with a color.
var classes = map[string]string{
	"error": "error", "boots": "imported", "depends": "warning", "no": "not-created", "refused": "refused", "overwritten": "overwritten", "removed": "removed", "not created": "not-created",
	"import fails": "import-fails",
}

// text escapes text from a manifest.
func text(s string) string { return html.EscapeString(console.SafeLine(s)) }
