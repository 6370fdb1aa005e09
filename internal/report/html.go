package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// The parts of the page. It loads nothing, and the only script that runs is its own, whatever the text of a manifest contains.
var (
	//go:embed page/page.html
	pageShell string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string
)

// pageWriter writes a page. A template would make the program 5.9 MB larger (docs/dev/libraries.md).
type pageWriter struct{ bytes.Buffer }

// markup is HTML.
type markup string

// add writes a format. It escapes each argument that is no [markup].
func (w *pageWriter) add(format string, args ...any) {
	for i, arg := range args {
		if _, ok := arg.(markup); !ok {
			args[i] = text(fmt.Sprint(arg))
		}
	}
	fmt.Fprintf(w, format, args...)
}

// text escapes a text from a manifest, for an element and for an attribute in quotes.
func text(s string) markup { return markup(html.EscapeString(console.SafeLine(s))) }

// attribute returns an attribute of an element, nothing for an empty value.
func attribute(name, value string) markup {
	if value == "" {
		return ""
	}
	return markup(" "+name+`="`) + text(value) + `"`
}

// htmlPage is a page. word is the class of its sentence.
type htmlPage struct {
	tab, title, word, sentence, version string
	note, form, main                    pageWriter
}

// write writes the page. what names it in an error.
func (p *htmlPage) write(w io.Writer, what string) error {
	var out pageWriter
	sum := sha256.Sum256([]byte(pageScript))
	out.add(pageShell, markup(base64.StdEncoding.EncodeToString(sum[:])), p.tab, markup(pageStyle), p.title, p.word, p.sentence,
		markup(p.note.String()), markup(p.form.String()), markup(p.main.String()), p.version, markup(pageScript))
	return write(w, what, out.Bytes())
}

// paragraph writes a paragraph of a class, unless its text is empty.
func (w *pageWriter) paragraph(class, s string) {
	if s != "" {
		w.add("<p%s>%s</p>\n", attribute("class", class), s)
	}
}

func (w *pageWriter) list(lines []string) {
	w.add("<ul>")
	for _, line := range lines {
		w.add("<li>%s</li>", line)
	}
	w.add("</ul>\n")
}

// section writes a section with a title.
func (w *pageWriter) section(id, title string, body pageWriter) {
	w.add("<section class=\"%[1]s\" aria-labelledby=\"%[1]s\">\n<h2 id=\"%[1]s\">%[2]s</h2>\n%[3]s</section>\n", id, title, markup(body.String()))
}

// folded writes a section that a reader opens, unless it is empty.
func (w *pageWriter) folded(label string, open bool, title string, body pageWriter) {
	if body.Len() == 0 {
		return
	}
	attributes := markup("")
	if open {
		attributes = " open"
	}
	w.add("<section aria-label=\"%s\">\n<details%s><summary><h2>%s</h2></summary>\n", label, attributes, title)
	w.add("%s</details>\n</section>\n", markup(body.String()))
}

// pageRow is a row. anchor is its id, lacks has the architectures whose nodes lack something, and in the numbers of the clusters
// that it is about.
type pageRow struct {
	anchor, lacks, in string
	cells             []pageCell
}

// pageCell is a cell with a color. link is the anchor that it leads to.
type pageCell struct {
	class, link string
	body        markup
}

func (w *pageWriter) table(header []string, rows []pageRow) {
	w.add("<div class=\"table\" tabindex=\"0\">\n<table>\n<thead><tr>")
	for _, name := range header {
		w.add("<th scope=\"col\">%s</th>", name)
	}
	w.add("</tr></thead>\n<tbody>\n")
	for _, row := range rows {
		w.add("<tr%s%s%s>", attribute("id", row.anchor), attribute("data-in", row.in), attribute("data-lacks", row.lacks))
		for i, cell := range row.cells {
			element, attributes := markup("td"), attribute("class", cell.class)
			if i == 0 {
				element, attributes = "th", ` scope="row"`
			}
			if cell.link != "" {
				cell.body = `<a href="#` + text(cell.link) + `">` + cell.body + "</a>"
			}
			w.add("<%[1]s%[2]s>%[3]s</%[1]s>", element, attributes, cell.body)
		}
		w.add("</tr>\n")
	}
	w.add("</tbody>\n</table>\n</div>\n")
}

// HTML writes a check as one page that needs no other file.
func HTML(w io.Writer, c Check) error {
	const few = 5
	told := c.tell()
	at := told.pageIndex()
	var changes, reasons, rest pageWriter
	changes.findings("More", told.worse, at) // the findings come first, because the table of the clusters leads to them
	changes.findings("Less", told.better, at)
	reasons.findings("", told.reasons, at)
	rest.findings("", told.rest, at)
	out := htmlPage{title: c.heading(), word: "passed", sentence: told.sentence(), version: c.Version}
	if !c.Passed() {
		out.word = "failed"
	}
	out.tab = out.title + ": " + out.word
	out.note.paragraph("", c.lastLine())
	if c.ofMany() || len(told.reasons)+len(told.rest)+len(c.Machines) > few {
		out.form.filter(told.architectures(), c.ofMany())
	}
	if c.Since != nil {
		out.main.section("changes", c.Since.sentence(), changes)
	}
	images, predictions := told.pageImages(at)
	var operators, others pageWriter
	for _, one := range c.operators(false) {
		operators.part(one, at)
	}
	for _, s := range []struct {
		id, title string
		body      pageWriter
	}{
		{"clusters", "Clusters", told.pageClusters(at)},
		{"images", "Golden images", images},
		{"operators", "Operators", operators},
		{"reasons", "Reasons", reasons},
		{"machines", "Virtual machines", told.pageMachines(at)},
	} {
		if s.body.Len() > 0 {
			out.main.section(s.id, s.title, s.body)
		}
	}
	what := "more finding"
	if len(told.reasons) == 0 {
		what = "finding"
	}
	out.main.folded("Other findings", len(told.rest) <= few, finding.Count(len(told.rest), what), rest)
	out.main.folded("Predictions", false, "What the operators do in each of these clusters", predictions)
	if lines := c.others(); len(lines) > 0 {
		others.list(lines)
		out.main.section("others", "What else is there", others)
	}
	return out.write(w, "report")
}

// filter writes the form that the script shows.
func (w *pageWriter) filter(architectures []string, clusters bool) {
	w.add("<form id=\"filter\" role=\"search\" aria-label=\"Filter the report\" hidden>\n")
	w.add("<label>Text <input type=\"search\" name=\"text\" placeholder=\"template, file, id\"></label>\n")
	titles, options := []string{"Severity", "Architecture"}, [][]string{{"error", "warning", "info"}, architectures}
	if clusters {
		titles, options = append(titles, "Cluster"), append(options, nil) // the script takes the names from the table
	}
	for i, title := range titles {
		w.add("<label>%s <select name=\"%s\"><option value=\"\">all</option>", title, strings.ToLower(title))
		for _, option := range options[i] {
			w.add("<option>%s</option>", option)
		}
		w.add("</select></label>\n")
	}
	w.add("<output name=\"count\"></output>\n</form>\n")
}

// pageIndex knows where things are on the page.
type pageIndex struct {
	// clusters are in the order of the table, numbers are theirs, from 1.
	clusters []Cluster
	numbers  map[string]int
	// rows are the numbers of the clusters with the findings of an id, a severity and a text.
	rows map[[3]string][]int
	// anchors counts the anchors of each id, and first has the first one about a cluster.
	anchors map[finding.ID]int
	first   map[int]string
}

// pageIndex numbers the clusters: what is wrong comes first.
func (c story) pageIndex() *pageIndex {
	out := &pageIndex{numbers: map[string]int{}, rows: map[[3]string][]int{}, anchors: map[finding.ID]int{}, first: map[int]string{}}
	if !c.ofMany() {
		return out
	}
	for _, fine := range []bool{false, true} {
		for _, one := range c.Repository.Clusters {
			if c.isFine(one) == fine {
				out.clusters = append(out.clusters, one)
				out.numbers[one.Name] = len(out.clusters)
			}
		}
	}
	all := c.Findings
	if c.Since != nil {
		all = slices.Concat(all, c.Since.Better)
	}
	for _, f := range all {
		if n := out.numbers[f.Object.Cluster]; n > 0 {
			out.rows[rowKey(f)] = append(out.rows[rowKey(f)], n)
		}
	}
	for key, list := range out.rows {
		slices.Sort(list)
		out.rows[key] = slices.Compact(list)
	}
	return out
}

func rowKey(f finding.Finding) [3]string { return [3]string{string(f.ID), string(f.Severity), f.Text} }

// in returns the number of a cluster, "" if the page has no table of clusters.
func (x *pageIndex) in(cluster string) string {
	if n := x.numbers[cluster]; n > 0 {
		return strconv.Itoa(n)
	}
	return ""
}

// findings writes findings below a title, each with an anchor of its own: "GA104-2" for the second of an id.
func (w *pageWriter) findings(title string, groups []finding.Group, at *pageIndex) {
	if title != "" && len(groups) > 0 {
		w.add("<h3>%s</h3>\n", title)
	}
	for _, g := range groups {
		f := g[0]
		at.anchors[f.ID]++
		anchor, rows, in := fmt.Sprintf("%s-%d", f.ID, at.anchors[f.ID]), at.rows[rowKey(f)], ""
		for _, n := range rows {
			at.first[n] = cmp.Or(at.first[n], anchor)
		}
		if len(rows) < len(at.clusters) {
			in = strings.Trim(fmt.Sprint(rows), "[]")
		}
		w.add("<article class=\"finding %[1]s\" id=\"%[2]s\" data-severity=\"%[1]s\"%[3]s>\n", f.Severity, anchor, attribute("data-in", in))
		w.add("<h3><span class=\"severity\">%s</span> <a href=\"%s\">%s</a> %s</h3>\n", f.Severity, help(f.ID), f.ID, f.ID.Title())
		w.paragraph("", g.Sentence())
		w.paragraph("advice", g.Advised())
		for _, command := range shownCommands(g) {
			w.add("<pre class=\"command\"><code>%s</code></pre>\n", command)
		}
		if lines := diffLines(g.Changes()); len(lines) > 0 {
			w.add("<pre class=\"diff\">")
			for _, line := range lines {
				w.add("<span class=\"%s\">%s</span>\n", map[byte]string{'-': "minus", '+': "plus"}[line[0]], line)
			}
			w.add("</pre>\n")
		}
		w.paragraph("where", g.Where())
		w.add("</article>\n")
	}
}

// pageClusters returns the table of the clusters and all templates, with a letter for each architecture.
func (c story) pageClusters(at *pageIndex) (out pageWriter) {
	if !c.ofMany() {
		return out
	}
	templates, architectures := c.templates(false), c.architectures()
	var rows []pageRow
	var shown strings.Builder
	for i, one := range at.clusters {
		verdict := pageCell{class: "good", body: text(string(one.Verdict))}
		if !one.Verdict.Passes(c.AllowEmpty) {
			verdict.class = "bad"
		}
		if !c.isFine(one) {
			verdict.link = at.first[i+1]
		}
		row := pageRow{anchor: fmt.Sprintf("cluster-%d", i+1), in: at.in(one.Name), cells: []pageCell{{body: text(one.Name)}, verdict}}
		lacks := map[string]bool{}
		for _, template := range templates {
			cell := pageCell{}
			marks := c.lettersOf(one.Name, template, architectures)
			shown.WriteString(marks)
			for k, letter := range marks {
				body, class := markup(letter), classes[string(letter)]
				if class != "" {
					body = "<b" + attribute("class", class) + ">" + body + "</b>"
				}
				if class == "bad" || class == "warn" {
					lacks[architectures[k]] = true
				}
				cell.body += body
			}
			row.cells = append(row.cells, cell)
		}
		row.lacks = strings.Join(slices.DeleteFunc(slices.Clone(architectures), func(a string) bool { return !lacks[a] }), " ")
		rows = append(rows, row)
	}
	out.table(append([]string{"Cluster", "Verdict"}, templates...), rows)
	out.paragraph("", lettersOn(architectures, shown.String(), false))
	return out
}

// mostFolded is how many predictions the page of many clusters has.
const mostFolded = 40

// pageImages returns the predictions for the CRs of the only cluster, or of many clusters those for the CRs of which something does
// not boot.
func (c story) pageImages(at *pageIndex) (images, folded pageWriter) {
	n := 0
	for i := range c.Forecast {
		switch {
		case !c.ofMany():
			images.part(c.prediction(i), at)
		case !c.images[i].everywhere() && n < mostFolded:
			folded.part(c.prediction(i), at)
			n++
		}
	}
	return images, folded
}

// pageMachines returns the table of the machines, and why some are unknown.
func (c story) pageMachines(at *pageIndex) (out pageWriter) {
	if len(c.Machines) == 0 {
		return out
	}
	list := c.sortedMachines()
	p := c.machines(list)
	header, rows := pageTable(p.table)
	for i, one := range list {
		rows[i].in, rows[i].lacks = at.in(one.Object.Cluster), ""
	}
	out.table(header, rows)
	for _, s := range p.lists {
		out.list(s.rows)
	}
	return out
}

// part writes a part with a title.
func (w *pageWriter) part(p part, at *pageIndex) {
	w.add("<article class=\"prediction\"%s>\n<h3>%s</h3>\n", attribute("data-in", at.in(p.cluster)), p.title)
	for _, line := range p.above {
		w.paragraph("", line)
	}
	if len(p.table.rows) > 0 {
		header, rows := pageTable(p.table)
		if p.table.what == "template" { // those that some nodes do not get come first
			slices.SortStableFunc(rows, func(a, b pageRow) int { return cmp.Compare(min(1, len(b.lacks)), min(1, len(a.lacks))) })
		}
		w.table(header, rows)
	}
	w.paragraph("", p.note)
	for _, s := range p.lists {
		w.add("<details><summary>%s</summary>", s.title)
		w.list(s.rows)
		w.add("</details>\n")
	}
	w.add("</article>\n")
}

// pageTable returns a table with the colors of its words. The columns with colors come first.
func pageTable(g grid) (header []string, rows []pageRow) {
	columns, others := []int{0}, []int{}
	for i := 1; i < len(g.header); i++ {
		if slices.ContainsFunc(g.rows, func(row []string) bool { return classOf(row[i]) != "" }) {
			columns = append(columns, i)
		} else {
			others = append(others, i)
		}
	}
	columns = append(columns, others...)
	header = mapped(columns, func(i int) string { return headerWords(g.header[i]) })
	for _, row := range g.rows {
		one := pageRow{cells: []pageCell{{body: text(row[0])}}}
		for _, i := range columns[1:] {
			class := classOf(row[i])
			if class == "bad" || class == "warn" {
				one.lacks = strings.TrimSpace(one.lacks + " " + g.header[i])
			}
			one.cells = append(one.cells, pageCell{class: class, body: text(row[i])})
		}
		rows = append(rows, one)
	}
	return header, rows
}

// headerWords returns the header of a column as words: "Decided by" of "DECIDED BY".
func headerWords(name string) string {
	if name == "DATASOURCE" {
		return "DataSource"
	}
	if strings.ToUpper(name) != name {
		return name
	}
	return name[:1] + strings.ToLower(name[1:])
}

// classOf returns the class of a cell: that of its first word.
func classOf(cell string) string {
	word, _, _ := strings.Cut(strings.TrimSuffix(cell, documented), " ")
	return classes[word]
}

// classes are the CSS classes of the words and letters with a color.
var classes = map[string]string{
	"yes": "good", "boots": "good", "depends": "warn", "no": "bad", "B": "good", "D": "warn", unknownCell: "warn", "N": "bad", "error": "bad", "not": "bad",
	"Starts": "good", "Depends": "warn", "Unknown": "warn", "Fails": "bad",
}
