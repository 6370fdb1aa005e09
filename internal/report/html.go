package report

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// The page loads nothing and runs nothing, whatever is in it.
const (
	htmlHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Golden images: %s</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #1b1f24; background: #fff }
table { border-collapse: collapse; margin: 1em 0; width: 100%% }
th, td { border: 1px solid #c9ced6; padding: .3em .6em; text-align: left; vertical-align: top; overflow-wrap: anywhere }
th { background: #f0f2f5 }
.error, .refused, .overwritten, .removed, .not-created, .import-fails { background: #ffe3e0 }
.warning { background: #fff3d1 }
.imported { background: #dff5e3 }
.failed { color: #b3261e }
.passed { color: #1a7f37 }
</style>
</head>
<body>
`
	htmlFoot = "</body>\n</html>\n"
)

// HTML writes a check as one page that needs no other file.
func HTML(w io.Writer, c Check) error {
	var out bytes.Buffer
	word := "passed"
	if !c.Passed() {
		word = "failed"
	}
	fmt.Fprintf(&out, htmlHead, word)
	fmt.Fprintf(&out, "<h1>Golden images</h1>\n<p class=%q>%s</p>\n", word, text(c.verdict()))
	writeHTMLFindings(&out, c.Findings)
	for _, one := range c.Forecast {
		fmt.Fprintf(&out, "<h2>%s</h2>\n", text(subject(one.Object)))
		if caption := c.caption(one); caption != "" {
			fmt.Fprintf(&out, "<p>%s</p>\n", caption)
		}
		if shown := one.Shown(); shown != nil {
			fmt.Fprintf(&out, "<p>%s</p>\n", text(clusterLine(*shown)))
			writeHTMLTable(&out, templates(*shown, true))
			if line := lackingLine(*shown); line != "" {
				fmt.Fprintf(&out, "<p>%s</p>\n", text(line))
			}
			if restsOnDocumentation(*shown) {
				fmt.Fprintf(&out, "<p>%s</p>\n", text(documented+" "+legend))
			}
		}
		for _, s := range c.sections(one) {
			fmt.Fprintf(&out, "<h3>%s</h3>\n<ul>\n", s.title)
			for _, row := range s.rows {
				fmt.Fprintf(&out, "<li>%s</li>\n", text(row))
			}
			out.WriteString("</ul>\n")
		}
	}
	fmt.Fprintf(&out, "<p>goldenarch %s</p>\n%s", text(c.Version), htmlFoot)
	return write(w, &out)
}

func writeHTMLFindings(out *bytes.Buffer, list finding.List) {
	if len(list) == 0 {
		return
	}
	out.WriteString("<table>\n<tr><th>Severity</th><th>Finding</th><th>Where</th><th>File</th><th>What</th></tr>\n")
	for _, f := range list {
		fmt.Fprintf(out, "<tr class=%q><td>%s</td><td><a href=%q title=%q>%s</a></td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
			f.Severity, f.Severity, help(f.ID), text(f.ID.Title()), f.ID, text(where(f)), text(location(f)), text(f.Message()))
	}
	out.WriteString("</table>\n")
}

func writeHTMLTable(out *bytes.Buffer, g grid) {
	if len(g.rows) == 0 {
		return
	}
	out.WriteString("<table>\n<tr>")
	for _, cell := range g.header {
		fmt.Fprintf(out, "<th>%s</th>", text(cell))
	}
	out.WriteString("</tr>\n")
	for _, row := range g.rows {
		out.WriteString("<tr>")
		for _, cell := range row {
			if class, is := classes[strings.TrimSuffix(cell, documented)]; is {
				fmt.Fprintf(out, "<td class=%q>%s</td>", class, text(cell))
				continue
			}
			fmt.Fprintf(out, "<td>%s</td>", text(cell))
		}
		out.WriteString("</tr>\n")
	}
	out.WriteString("</table>\n")
}

// classes are the words that have a colour.
var classes = map[string]string{
	"error": "error", "imported": "imported", "refused": "refused", "overwritten": "overwritten", "removed": "removed", "not created": "not-created",
	"import fails": "import-fails",
}

// text escapes what comes out of a manifest.
func text(s string) string { return html.EscapeString(clean(s)) }
