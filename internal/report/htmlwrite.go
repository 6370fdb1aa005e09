package report

import (
	"bytes"
	"fmt"
)

// pageWriter writes the page. Each text that it gets is escaped ([text]).
type pageWriter struct{ bytes.Buffer }

func (w *pageWriter) add(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// whole writes an element with a text, unless the text is empty.
func (w *pageWriter) whole(begin, text, end string) {
	if text != "" {
		w.add("%s%s%s\n", begin, text, end)
	}
}

// page writes the page of a check.
func (w *pageWriter) page(p htmlPage) {
	w.begin(p.pageShell)
	if p.Filters {
		w.filter(p)
	}
	w.add("<main>\n")
	w.main(p)
	w.add("</main>\n")
	w.end(p.pageShell)
}

// begin writes a page up to its main part.
func (w *pageWriter) begin(p pageShell) {
	w.add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	w.add("<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", policy())
	w.add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s</title>\n", p.Tab)
	w.add("<style>%s</style>\n</head>\n<body>\n<header>\n<h1>%s</h1>\n", pageStyle, p.Title)
	w.add("<p class=\"sentence %s\">%s</p>\n", p.Word, p.Sentence)
	w.whole("<p>", p.Note, "</p>")
	w.add("</header>\n")
}

// end writes what comes after the main part.
func (w *pageWriter) end(p pageShell) {
	w.add("<footer><p>goldenarch %s</p></footer>\n<script>%s</script>\n</body>\n</html>\n", p.Version, pageScript)
}

// filter writes the form that the script shows.
func (w *pageWriter) filter(p htmlPage) {
	w.add("<form id=\"filter\" role=\"search\" aria-label=\"Filter the report\" hidden>\n")
	w.add("<label>Text <input type=\"search\" name=\"text\" placeholder=\"template, file, id\"></label>\n")
	w.selection("Severity", "severity", []string{"error", "warning", "info"})
	w.selection("Architecture", "architecture", p.Architectures)
	if p.Clusters != nil {
		w.selection("Cluster", "cluster", nil) // the script takes the names from the table
	}
	w.add("<output name=\"count\"></output>\n</form>\n")
}

func (w *pageWriter) selection(title, name string, options []string) {
	w.add("<label>%s <select name=\"%s\"><option value=\"\">all</option>", title, name)
	for _, option := range options {
		w.add("<option>%s</option>", option)
	}
	w.add("</select></label>\n")
}

// main writes the parts of the report.
func (w *pageWriter) main(p htmlPage) {
	if p.Changes != nil {
		w.section("changes", p.Changes.Sentence, func() {
			w.findings("<h3>More</h3>\n", p.Changes.Worse)
			w.findings("<h3>Less</h3>\n", p.Changes.Better)
		})
	}
	if p.Clusters != nil {
		w.section("clusters", "Clusters", func() {
			w.table(p.Clusters)
			w.whole("<p>", p.Clusters.Note, "</p>")
		})
	}
	if len(p.Images) > 0 {
		w.section("images", "Golden images", func() { w.images(p.Images) })
	}
	if len(p.Operators) > 0 {
		w.section("operators", "Operators", func() { w.images(p.Operators) })
	}
	if len(p.Reasons) > 0 {
		w.section("reasons", "Reasons", func() { w.findings("", p.Reasons) })
	}
	if p.Machines != nil {
		w.section("machines", "Virtual machines", func() {
			w.table(p.Machines)
			if len(p.Unknown) > 0 {
				w.list(p.Unknown)
			}
		})
	}
	w.folded(p)
	if len(p.Others) > 0 {
		w.section("others", "What else is there", func() { w.list(p.Others) })
	}
}

// folded writes what a reader opens.
func (w *pageWriter) folded(p htmlPage) {
	if len(p.Rest) > 0 {
		open := ""
		if p.OpenRest {
			open = " open"
		}
		w.add("<section aria-label=\"Other findings\">\n<details%s><summary><h2>%s</h2></summary>\n", open, p.RestTitle)
		w.findings("", p.Rest)
		w.add("</details>\n</section>\n")
	}
	if len(p.Folded) > 0 {
		w.add("<section aria-label=\"Predictions\">\n<details><summary><h2>What the operators do in each of these clusters</h2></summary>\n")
		w.images(p.Folded)
		w.add("</details>\n</section>\n")
	}
}

func (w *pageWriter) section(id, title string, body func()) {
	w.add("<section class=\"%[1]s\" aria-labelledby=\"%[1]s\">\n<h2 id=\"%[1]s\">%[2]s</h2>\n", id, title)
	body()
	w.add("</section>\n")
}

func (w *pageWriter) list(lines []string) {
	w.add("<ul>")
	for _, line := range lines {
		w.add("<li>%s</li>", line)
	}
	w.add("</ul>\n")
}

func (w *pageWriter) table(t *pageTable) {
	w.add("<div class=\"table\" tabindex=\"0\">\n<table>\n<thead><tr>")
	for _, name := range t.Header {
		w.add("<th scope=\"col\">%s</th>", name)
	}
	w.add("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows {
		w.row(row)
	}
	w.add("</tbody>\n</table>\n</div>\n")
}

func (w *pageWriter) row(row pageRow) {
	w.add("<tr%s%s%s>", attribute("id", row.Anchor), attribute("data-in", row.In), attribute("data-lacks", row.Lacks))
	for i, cell := range row.Cells {
		element, end := "td"+attribute("class", cell.Class), "td"
		if i == 0 {
			element, end = `th scope="row"`, "th"
		}
		w.add("<%s>", element)
		if cell.Link != "" {
			w.add("<a href=\"#%s\">", cell.Link)
		}
		for _, part := range cell.Parts {
			if part.Class == "" {
				w.WriteString(part.Text)
			} else {
				w.add("<b class=\"%s\">%s</b>", part.Class, part.Text)
			}
		}
		if cell.Link != "" {
			w.add("</a>")
		}
		w.add("</%s>", end)
	}
	w.add("</tr>\n")
}

// attribute returns an attribute of an element, "" for an empty value.
func attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return " " + name + `="` + value + `"`
}

// images writes the predictions for CRs.
func (w *pageWriter) images(list []pageImages) {
	for _, one := range list {
		w.add("<article class=\"prediction\"%s>\n<h3>%s</h3>\n", attribute("data-in", one.In), one.Title)
		w.whole("<p>", one.Caption, "</p>")
		w.whole("<p>", one.Cluster, "</p>")
		if one.Table != nil {
			w.table(one.Table)
		}
		w.whole("<p>", one.Note, "</p>")
		for _, s := range one.Sections {
			w.add("<details><summary>%s</summary>", s.Title)
			w.list(s.Rows)
			w.add("</details>\n")
		}
		w.add("</article>\n")
	}
}

func (w *pageWriter) findings(title string, list []pageFinding) {
	if len(list) > 0 {
		w.add("%s", title)
	}
	for _, f := range list {
		w.add("<article class=\"finding %[1]s\" id=\"%[2]s\" data-severity=\"%[1]s\"%[3]s>\n", f.Severity, f.Anchor, attribute("data-in", f.In))
		w.add("<h3><span class=\"severity\">%s</span> <a href=\"%s\">%s</a> %s</h3>\n", f.Severity, f.Help, f.ID, f.Name)
		w.whole("<p>", f.Problem, "</p>")
		w.whole("<p class=\"advice\">", f.Advice, "</p>")
		for _, command := range f.Commands {
			w.add("<pre class=\"command\"><code>%s</code></pre>\n", command)
		}
		if len(f.Lines) > 0 {
			w.add("<pre class=\"diff\">")
			for _, line := range f.Lines {
				w.add("<span class=\"%s\">%s</span>\n", line.Class, line.Text)
			}
			w.add("</pre>\n")
		}
		w.whole("<p class=\"where\">", f.Where, "</p>")
		w.add("</article>\n")
	}
}
