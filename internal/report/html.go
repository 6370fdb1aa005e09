package report

import (
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
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string
)

// policy is what the page may do: use its own style, and run its own script.
func policy() string {
	sum := sha256.Sum256([]byte(pageScript))
	return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// pageShell is what the pages of a check and of a plan have in common. Each text of a page is escaped where it is set ([text]): a
// template would make the program 5.9 MB larger (docs/dev/libraries.md).
type pageShell struct {
	Tab, Title, Word, Sentence, Note, Version string
}

// htmlPage is what the page of a check shows.
type htmlPage struct {
	pageShell

	Architectures  []string
	Filters        bool
	Changes        *pageChanges
	Clusters       *pageTable
	Images, Folded []pageImages
	Operators      []pageImages
	Reasons, Rest  []pageFinding
	OpenRest       bool
	RestTitle      string
	Machines       *pageTable
	Unknown        []string // why machines are unknown
	Others         []string
}

// pageChanges is what a change makes worse and better.
type pageChanges struct {
	Sentence      string
	Worse, Better []pageFinding
}

// pageTable is a table with a header.
type pageTable struct {
	Header []string
	Rows   []pageRow
	Note   string
}

// pageRow is a row. Anchor is its id, Lacks has the architectures whose nodes lack something, and In the numbers of the clusters
// that it is about.
type pageRow struct {
	Anchor, Lacks, In string
	Cells             []pageCell
}

// pageCell is a cell, which has a color or parts with colors. Link is the anchor that it leads to.
type pageCell struct {
	Class, Link string
	Parts       []pagePart
}

type pagePart struct{ Text, Class string }

// pageImages is the prediction for a CR.
type pageImages struct {
	Title, Caption, Cluster, Note, In string
	Table                             *pageTable
	Sections                          []pageSection
}

type pageSection struct {
	Title string
	Rows  []string
}

// pageFinding is findings that say the same. In has the numbers of their clusters, "" for all.
type pageFinding struct {
	Anchor, ID, Help, Name, In string
	Severity                   finding.Severity
	Problem, Where, Advice     string
	Commands                   []string
	Lines                      []pagePart
}

// mostFolded is how many predictions the page of many clusters has.
const mostFolded = 40

// HTML writes a check as one page that needs no other file.
func HTML(w io.Writer, c Check) error {
	var out pageWriter
	out.page(c.tell().page())
	return write(w, "report", out.Bytes())
}

// page returns what the page shows.
func (c story) page() htmlPage {
	left, at := c.before().tell(), c.pageIndex()
	out := htmlPage{pageShell: pageShell{
		Title: c.heading(), Word: "passed", Sentence: text(c.sentence()), Note: text(c.lastLine()), Version: text(c.Version),
	}}
	out.Changes = c.pageChanges(at)
	out.Reasons, out.Rest = at.findings(left.reasons()), at.findings(left.rest())
	if !c.Passed() {
		out.Word = "failed"
	}
	out.Tab = out.Title + ": " + out.Word
	const few = 5
	out.OpenRest, out.RestTitle = len(out.Rest) <= few, finding.Count(len(out.Rest), "more finding")
	if len(out.Reasons) == 0 {
		out.RestTitle = finding.Count(len(out.Rest), "finding")
	}
	_, architectures := c.lacking()
	out.Architectures = texts(architectures)
	if c.ofMany() {
		out.Clusters = c.pageClusters(at)
	}
	byObject := c.reportedByObject()
	for i := range c.Forecast {
		switch {
		case !c.ofMany():
			out.Images = append(out.Images, c.pageImages(i, byObject, at))
		case !c.images[i].everywhere() && len(out.Folded) < mostFolded:
			out.Folded = append(out.Folded, c.pageImages(i, byObject, at))
		}
	}
	out.Operators = c.pageSupports(at)
	if machines := c.Check; len(machines.Machines) > 0 {
		out.Unknown = texts(machines.unknownLines())
		machines.Machines = machines.sortedMachines()
		out.Machines = pageTableOf(machines.machineGrid().withoutEmpty())
		for i, one := range machines.Machines {
			out.Machines.Rows[i].In, out.Machines.Rows[i].Lacks = at.in(one.Object.Cluster), ""
		}
	}
	out.Others = texts(c.others())
	out.Filters = c.ofMany() || len(out.Reasons)+len(out.Rest)+len(c.Machines) > few
	return out
}

// pageChanges returns what the change makes worse and better, nil if no base is named.
func (c story) pageChanges(at *pageIndex) *pageChanges {
	if c.Since == nil {
		return nil
	}
	return &pageChanges{
		Sentence: text(c.Since.sentence()),
		Worse:    at.findings(c.with(c.Since.Worse).Shown().Grouped()),
		Better:   at.findings(c.with(c.Since.Better).Shown().Grouped()),
	}
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
	out.clusters = slices.Clone(c.Repository.Clusters)
	slices.SortStableFunc(out.clusters, func(a, b Cluster) int { return order(c.isFine(a)) - order(c.isFine(b)) })
	for i, one := range out.clusters {
		out.numbers[one.Name] = i + 1
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

// findings returns findings, each with an anchor of its own: "GA104-2" for the second of an id.
func (x *pageIndex) findings(groups []finding.Group) []pageFinding {
	out := make([]pageFinding, 0, len(groups))
	for _, g := range groups {
		f := g[0]
		x.anchors[f.ID]++
		one := pageFinding{
			Anchor: fmt.Sprintf("%s-%d", f.ID, x.anchors[f.ID]), ID: string(f.ID), Help: help(f.ID), Name: text(f.ID.Title()), Severity: f.Severity,
			Problem: text(g.Sentence()), Where: text(g.Where()),
			Advice: text(g.Advised()), Commands: texts(shownCommands(g)),
		}
		rows := x.rows[rowKey(f)]
		for _, n := range rows {
			x.first[n] = cmp.Or(x.first[n], one.Anchor)
		}
		if len(rows) < len(x.clusters) {
			one.In = strings.Trim(fmt.Sprint(rows), "[]")
		}
		for _, line := range diffLines(g.Changes()) {
			class := map[byte]string{'-': "minus", '+': "plus"}[line[0]]
			one.Lines = append(one.Lines, pagePart{text(line), class})
		}
		out = append(out, one)
	}
	return out
}

// pageClusters returns the clusters and all templates, with a letter for each architecture.
func (c story) pageClusters(at *pageIndex) *pageTable {
	var templates []string
	known := map[string]bool{}
	byCluster := map[string][]int{}
	for i, of := range c.images {
		byCluster[c.Forecast[i].Object.Cluster] = append(byCluster[c.Forecast[i].Object.Cluster], i)
		for _, r := range of.rows {
			if !known[r.template] {
				known[r.template] = true
				templates = append(templates, r.template)
			}
		}
	}
	_, architectures := c.lacking()
	out := &pageTable{Header: texts(append([]string{"Cluster", "Verdict"}, templates...))}
	out.Note = text(lettersOn(architectures))
	for i, one := range at.clusters {
		row := pageRow{Anchor: fmt.Sprintf("cluster-%d", i+1), In: at.in(one.Name)}
		verdict := pageCell{Class: "good", Parts: []pagePart{{string(one.Verdict), ""}}}
		if !one.Verdict.Passes(c.AllowEmpty) {
			verdict.Class = "bad"
		}
		if !c.isFine(one) {
			verdict.Link = at.first[i+1]
		}
		row.Cells = []pageCell{textCell(one.Name), verdict}
		lacks := map[string]bool{}
		for _, template := range templates {
			row.Cells = append(row.Cells, letterCell(c.lettersOf(byCluster[one.Name], template, architectures), architectures, lacks))
		}
		for _, a := range architectures {
			if lacks[a] {
				row.Lacks = strings.TrimSpace(row.Lacks + " " + text(a))
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// letterCell returns a cell with a letter for each architecture, and adds those that lack something.
func letterCell(letters string, architectures []string, lacks map[string]bool) pageCell {
	var out pageCell
	for k, letter := range letters {
		part := pagePart{string(letter), classes[string(letter)]}
		if part.Class == "bad" || part.Class == "warn" {
			lacks[architectures[k]] = true
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}

// isFine reports whether a cluster passes and boots everything.
func (c story) isFine(one Cluster) bool {
	return one.Verdict.Passes(c.AllowEmpty) && c.bootsIn(one.Name)
}

// order puts what is wrong first.
func order(isFine bool) int {
	if isFine {
		return 1
	}
	return 0
}

// pageImages returns the prediction for a CR.
func (c story) pageImages(i int, byObject reportedByObject, at *pageIndex) pageImages {
	one := c.Forecast[i]
	out := pageImages{Title: text(subject(one.Object)), Caption: text(c.caption(one)), In: at.in(one.Object.Cluster)}
	if shown := one.Shown(); shown != nil {
		out.Cluster = text(clusterLine(*shown))
		if g := c.images[i].grid(*shown).withoutEmpty(); len(g.rows) > 0 {
			out.Table = pageTableOf(g)
			slices.SortStableFunc(out.Table.Rows, func(a, b pageRow) int { return order(a.Lacks == "") - order(b.Lacks == "") })
		}
		if restsOnDocumentation(*shown) {
			out.Note = text(documented + " " + legend)
		}
	}
	for _, s := range c.sections(one, byObject) {
		out.Sections = append(out.Sections, pageSection{s.title, texts(s.rows)})
	}
	return out
}

// pageTableOf returns a table with the colors of its words. The columns with colors come first.
func pageTableOf(g grid) *pageTable {
	colored := func(i int) bool {
		return slices.ContainsFunc(g.rows, func(row []string) bool { return classOf(row[i]) != "" })
	}
	columns := []int{0}
	for _, first := range []bool{true, false} {
		for i := 1; i < len(g.header); i++ {
			if colored(i) == first {
				columns = append(columns, i)
			}
		}
	}
	out := &pageTable{}
	for _, i := range columns {
		out.Header = append(out.Header, text(headerWords(g.header[i])))
	}
	for _, row := range g.rows {
		one := pageRow{Cells: []pageCell{textCell(row[0])}}
		for _, i := range columns[1:] {
			class := classOf(row[i])
			if class == "bad" || class == "warn" {
				one.Lacks = strings.TrimSpace(one.Lacks + " " + text(g.header[i]))
			}
			one.Cells = append(one.Cells, pageCell{Class: class, Parts: []pagePart{{text(row[i]), ""}}})
		}
		out.Rows = append(out.Rows, one)
	}
	return out
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

func textCell(s string) pageCell { return pageCell{Parts: []pagePart{{text(s), ""}}} }

// text escapes a text from a manifest, for an element and for an attribute in quotes.
func text(s string) string { return html.EscapeString(console.SafeLine(s)) }

func texts(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = text(s)
	}
	return out
}

// classes are the CSS classes of the words and letters with a color.
var classes = map[string]string{
	"yes": "good", "boots": "good", "depends": "warn", "no": "bad", "B": "good", "D": "warn", unknownCell: "warn", "N": "bad", "error": "bad", "not": "bad",
	"Starts": "good", "Depends": "warn", "Unknown": "warn", "Fails": "bad",
}
