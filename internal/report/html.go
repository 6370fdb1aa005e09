package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// The parts of the page. It loads nothing, and the only script that runs is the one for its filter, whatever the text of a
// manifest contains.
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

// htmlPage is what the page shows. Each text is escaped where it is set ([text]): a template would make the program 5.9 MB larger
// (docs/dev/libraries.md).
type htmlPage struct {
	Policy, Style, Script          string
	Title, Word, Sentence, Verdict string
	Architectures                  []string
	Filters                        bool
	Changes                        *pageChanges
	Clusters                       *pageTable
	Images, Folded                 []pageImages
	Reasons, Rest                  []pageFinding
	OpenRest                       bool
	RestTitle                      string
	Machines                       *pageTable
	Unknown                        []string // why machines are unknown
	Others                         []string
	Version                        string
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

// pageRow is a row. Anchor is its id, and Lacks has the architectures whose nodes lack something.
type pageRow struct {
	Anchor, Lacks string
	Cells         []pageCell
}

// pageCell is a cell, which has a color or parts with colors.
type pageCell struct {
	Class string
	Parts []pagePart
}

type pagePart struct{ Text, Class string }

// pageImages is the prediction for a CR.
type pageImages struct {
	Title, Caption, Cluster, Note string
	Table                         *pageTable
	Sections                      []pageSection
}

type pageSection struct {
	Title string
	Rows  []string
}

// pageFinding is findings that say the same.
type pageFinding struct {
	Anchor, ID, Help, Name string
	Severity               finding.Severity
	Problem, Where, Advice string
	Commands               []string
	Lines                  []pagePart
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
	left := c.before().tell()
	anchors := map[finding.ID]int{}
	out := htmlPage{
		Policy: policy(), Style: pageStyle, Script: pageScript,
		Title: c.heading(), Word: "passed", Sentence: text(c.sentence()), Verdict: text(c.lastLine()),
		Version: text(c.Version), Changes: c.pageChanges(anchors),
		Reasons: pageFindings(left.reasons(), anchors), Rest: pageFindings(left.rest(), anchors),
	}
	if !c.Passed() {
		out.Word = "failed"
	}
	const few = 5
	out.OpenRest, out.RestTitle = len(out.Rest) <= few, finding.Count(len(out.Rest), "more finding")
	if len(out.Reasons) == 0 {
		out.RestTitle = finding.Count(len(out.Rest), "finding")
	}
	_, architectures := c.lacking()
	out.Architectures = texts(architectures)
	if c.ofMany() {
		out.Clusters = c.pageClusters()
	}
	byObject := c.reportedByObject()
	for i := range c.Forecast {
		switch {
		case !c.ofMany():
			out.Images = append(out.Images, c.pageImages(i, byObject))
		case !c.images[i].everywhere() && len(out.Folded) < mostFolded:
			out.Folded = append(out.Folded, c.pageImages(i, byObject))
		}
	}
	if machines := c.Check; len(machines.Machines) > 0 {
		out.Unknown = texts(machines.unknownLines())
		machines.Machines = machines.sortedMachines()
		out.Machines = pageTableOf(machines.machineGrid().withoutEmpty())
	}
	out.Others = texts(c.others())
	out.Filters = c.ofMany() || len(out.Reasons)+len(out.Rest)+len(c.Machines) > few
	return out
}

// pageChanges returns what the change makes worse and better, nil if no base is named.
func (c story) pageChanges(anchors map[finding.ID]int) *pageChanges {
	if c.Since == nil {
		return nil
	}
	return &pageChanges{
		Sentence: text(c.Since.sentence()),
		Worse:    pageFindings(c.with(c.Since.Worse).Shown().Grouped(), anchors),
		Better:   pageFindings(c.with(c.Since.Better).Shown().Grouped(), anchors),
	}
}

// pageFindings returns findings, each with an anchor of its own: "GA104-2" for the second of an id.
func pageFindings(groups []finding.Group, anchors map[finding.ID]int) []pageFinding {
	out := make([]pageFinding, 0, len(groups))
	for _, g := range groups {
		f := g[0]
		anchors[f.ID]++
		one := pageFinding{
			Anchor: fmt.Sprintf("%s-%d", f.ID, anchors[f.ID]), ID: string(f.ID), Help: help(f.ID), Name: text(f.ID.Title()), Severity: f.Severity,
			Problem: text(g.Sentence()), Where: text(g.Where()),
			Advice: text(g.Advised()), Commands: texts(shownCommands(g)),
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
func (c story) pageClusters() *pageTable {
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
	out.Note = text("B boots, D depends on the node that imports it or is not known, N does not boot; on " + strings.Join(architectures, ", "))
	rows := slices.Clone(c.Repository.Clusters)
	slices.SortStableFunc(rows, func(a, b Cluster) int { return order(c.isFine(a)) - order(c.isFine(b)) })
	for i, one := range rows {
		row := pageRow{Anchor: fmt.Sprintf("cluster-%d", i+1)}
		class := "good"
		if !one.Verdict.Passes(c.AllowEmpty) {
			class = "bad"
		}
		row.Cells = []pageCell{textCell(one.Name), {class, []pagePart{{string(one.Verdict), ""}}}}
		lacks := map[string]bool{}
		for _, template := range templates {
			var cell pageCell
			for k, letter := range c.lettersOf(byCluster[one.Name], template, architectures) {
				part := pagePart{string(letter), classes[string(letter)]}
				if part.Class == "bad" || part.Class == "warn" {
					lacks[architectures[k]] = true
				}
				cell.Parts = append(cell.Parts, part)
			}
			row.Cells = append(row.Cells, cell)
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
func (c story) pageImages(i int, byObject reportedByObject) pageImages {
	one := c.Forecast[i]
	out := pageImages{Title: text(subject(one.Object)), Caption: text(c.caption(one))}
	if shown := one.Shown(); shown != nil {
		out.Cluster = text(clusterLine(*shown))
		if g := c.images[i].grid(*shown).withoutEmpty(); len(g.rows) > 0 {
			out.Table = pageTableOf(g)
		}
		if restsOnDocumentation(*shown) {
			out.Note = text(documented + " " + c.legend(one))
		}
	}
	for _, s := range c.sections(one, byObject) {
		out.Sections = append(out.Sections, pageSection{s.title, texts(s.rows)})
	}
	return out
}

// pageTableOf returns a table with the colors of its words.
func pageTableOf(g grid) *pageTable {
	out := &pageTable{Header: texts(g.header)}
	for _, row := range g.rows {
		var one pageRow
		for i, cell := range row {
			word, _, _ := strings.Cut(strings.TrimSuffix(cell, documented), " ")
			class := classes[word]
			if class == "bad" || class == "warn" {
				one.Lacks = strings.TrimSpace(one.Lacks + " " + text(g.header[i]))
			}
			one.Cells = append(one.Cells, pageCell{class, []pagePart{{text(cell), ""}}})
		}
		out.Rows = append(out.Rows, one)
	}
	return out
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
	"boots": "good", "depends": "warn", "no": "bad", "B": "good", "D": "warn", "N": "bad", "error": "bad", "not": "bad",
	"Starts": "good", "Depends": "warn", "Unknown": "warn", "Fails": "bad",
}
