package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/workload"
)

// story is what a check tells: each format is a view of it.
type story struct {
	Check

	// reasons are the findings that say why a golden image does not boot, or why the check fails, and rest are the others. Those that
	// say the same are one. What the base does not have is among worse, and what only the base has is better.
	reasons, rest, worse, better []finding.Group
	// count is the number of reasons, with those among worse.
	count int
	// images are those of each prediction, and predictions are the places of those about a cluster.
	images      []images
	predictions map[string][]int
	// lacking has the clusters in which something does not boot.
	lacking map[string]bool
	// judged are the findings about each object that are errors or judge it.
	judged map[finding.Object]finding.List
}

// tell returns the story of a check.
func (c Check) tell() story {
	out := story{Check: c, predictions: map[string][]int{}, lacking: map[string]bool{}, judged: map[finding.Object]finding.List{}}
	predicted := map[finding.Object]bool{}
	lacks := map[[3]string]bool{} // templates that not all nodes get, by kind and name of the CR and by name
	for i, one := range c.Forecast {
		of := imagesOf(one)
		out.images = append(out.images, of)
		out.predictions[one.Object.Cluster] = append(out.predictions[one.Object.Cluster], i)
		predicted[one.Object] = true
		if !of.everywhere() {
			out.lacking[one.Object.Cluster] = true
		}
		for _, r := range of.Templates {
			if !r.everywhere() {
				lacks[[3]string{one.Object.Kind, one.Object.Name, r.Name}] = true
			}
		}
	}
	for _, cr := range c.CRs {
		if !predicted[cr.Object] {
			out.lacking[cr.Object.Cluster] = true
		}
	}
	for _, f := range c.Findings {
		if f.Severity == finding.Error || judges(f) {
			out.judged[f.Object] = append(out.judged[f.Object], f)
		}
	}
	split := func(list finding.List) (reasons, rest []finding.Group) {
		for _, g := range c.with(list).Shown().Grouped() {
			f := g[0]
			if c.fails(f) || f.Severity == finding.Error || f.ID == finding.ClaimNarrowed && lacks[[3]string{f.Object.Kind, f.Object.Name, f.Template}] {
				reasons = append(reasons, g)
			} else {
				rest = append(rest, g)
			}
		}
		return reasons, rest
	}
	out.reasons, out.rest = split(c.Findings)
	out.count = len(out.reasons)
	if c.Since != nil {
		out.reasons, out.rest = split(c.Since.unchanged(c.Findings))
		out.worse, out.better = c.with(c.Since.Worse).Shown().Grouped(), c.with(c.Since.Better).Shown().Grouped()
	}
	return out
}

// bootsIn reports whether everything boots in a cluster.
func (c story) bootsIn(cluster string) bool { return !c.lacking[cluster] }

// isFine reports whether a cluster passes and boots everything.
func (c story) isFine(one Cluster) bool {
	return one.Verdict.Passes(c.AllowEmpty) && c.bootsIn(one.Name)
}

// judges reports whether a finding says that the API server or an operator refuses a CR.
func judges(f finding.Finding) bool {
	return f.ID == finding.AdmissionRefuses.Public() || f.ID == finding.OperatorStops.Public()
}

// part is a part of a report with a table: the prediction for a CR, an operator, the machines, the clusters. Text, Markdown and HTML
// are views of it.
type part struct {
	// title is "" for the clusters. cluster is the one that the part is about.
	title, cluster string
	// above is what stands above the table, and note what stands below it.
	above []string
	table grid
	note  string
	lists []section
}

// section is a list with a title, "" if it stands alone.
type section struct {
	title string
	rows  []string
}

// predicted returns the part about a prediction. caption says what the table shows that of makes, "" for nothing. That some templates
// have an error comes first.
func predicted(one forecast.Prediction, caption string, of func(forecast.Forecast) grid, lists []section) part {
	out := part{title: titleOf(one.Object), cluster: one.Object.Cluster, lists: lists}
	if one.Partial != nil {
		caption = partialNote
	}
	if caption != "" {
		out.above = []string{caption}
	}
	if shown := one.Shown(); shown != nil {
		out.above, out.table = append(out.above, clusterLine(*shown)), of(*shown).withoutEmpty()
		if restsOnDocumentation(*shown) {
			out.note = documented + " " + legend
		}
	}
	return out
}

// prediction returns the part about a prediction of the check.
func (c story) prediction(i int) part {
	return predicted(c.Forecast[i], c.caption(c.Forecast[i]), c.images[i].grid, c.sections(c.Forecast[i]))
}

// operators returns a part for each operator. A short one of many images has those that lack something.
func (c Check) operators(short bool) []part {
	return mapped(c.Supports, func(s workload.Support) part {
		return part{title: titleOf(s.Object), cluster: s.Object.Cluster, table: supportGrid(s, short).withoutEmpty()}
	})
}

// machines returns the part about machines.
func (c Check) machines(list []machine.Result) part {
	out := part{title: "Virtual machines", table: c.machineGrid(list).withoutEmpty()}
	if lines := c.unknownLines(); len(lines) > 0 {
		out.lists = []section{{"", lines}}
	}
	return out
}

// sections returns the lists below the table of a prediction, without empty ones.
func sections(one forecast.Prediction) []section {
	shown := one.Forecast
	if one.Partial != nil {
		shown = *one.Partial
	}
	all := []section{
		{"Refused", mapped(one.Refusals(), forecast.Refusal.String)},
		{"Stops", stops(one.Forecast)},
		{"Why", reasons(shown)},
		{"Compared with the cluster", compared(one.Forecast.Live)},
		{"Alerts", alerts(shown)},
		{"Notes", slices.Concat(one.Forecast.Caveats, mapped(one.Warnings, finding.Finding.Message))},
	}
	for i := range all {
		all[i].rows = cleaned(all[i].rows)
	}
	return slices.DeleteFunc(all, section.isEmpty)
}

func (s section) isEmpty() bool { return len(s.rows) == 0 }

// sections returns the same for a prediction of a check, without what its findings say. A row that ends with the message of an error
// about the CR refers to the error, the first if there are several.
func (c story) sections(one forecast.Prediction) []section {
	var judged []string
	errors := map[string]int{}
	found := c.judged[one.Object]
	for i, f := range slices.Backward(found) {
		if judges(f) {
			judged = append(judged, console.SafeLine(f.Text))
		}
		if f.Severity == finding.Error {
			errors[console.SafeLine(f.Message())] = i
		}
	}
	one.Warnings = nil
	all := sections(one)
	for i, s := range all {
		all[i].rows = slices.DeleteFunc(s.rows, func(row string) bool {
			return slices.ContainsFunc(judged, func(text string) bool { return strings.HasSuffix(text, row) })
		})
		for j, row := range all[i].rows {
			first := len(found)
			for at := range row {
				message, ok := strings.CutPrefix(row[at:], ": ")
				if !ok {
					continue
				}
				if k, ok := errors[message]; ok && k < first {
					all[i].rows[j], first = row[:at]+", see "+string(found[k].ID), k
				}
			}
		}
	}
	return slices.DeleteFunc(all, section.isEmpty)
}

// templates returns the names of all templates, or of those that some nodes of some cluster do not get.
func (c story) templates(lacking bool) []string {
	var out []string
	for _, of := range c.images {
		for _, r := range of.Templates {
			if !lacking || !r.everywhere() {
				out = append(out, r.Name)
			}
		}
	}
	return distinct(out)
}

// architectures returns those of all clusters.
func (c story) architectures() []string {
	all := map[string]bool{}
	for _, of := range c.images {
		for _, a := range of.Architectures {
			all[a] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// cleaned converts each row to one line.
func cleaned(rows []string) []string { return mapped(rows, console.SafeLine) }

// mapped returns what change makes of each element of a list.
func mapped[T, U any](list []T, change func(T) U) []U {
	out := make([]U, len(list))
	for i, one := range list {
		out[i] = change(one)
	}
	return out
}

// distinct returns each element of a list once, where it stands first.
func distinct[T comparable](list []T) []T {
	known := map[T]bool{}
	return slices.DeleteFunc(list, func(one T) bool {
		again := known[one]
		known[one] = true
		return again
	})
}
