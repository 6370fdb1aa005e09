package report

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// outcomeWords are the words for the outcome of a DataImportCron.
var outcomeWords = map[forecast.Outcome]string{
	forecast.Created: "imported", forecast.Refused: "refused", forecast.Overwritten: "overwritten",
	forecast.Removed: "removed", forecast.NotCreated: "not created", forecast.ImportFails: "import fails",
}

// The sign of a prediction that uses only documentation, and its legend.
const (
	documented = "*"
	legend     = "OpenShift Virtualization publishes no list of its predefined templates: this is what its documentation says. " +
		"The live CR (--live) has the cluster's own."
)

// restsOnDocumentation reports whether a forecast has a cell with that sign.
func restsOnDocumentation(f forecast.Forecast) bool {
	return slices.ContainsFunc(f.Templates, func(t forecast.TemplateOutcome) bool { return t.KnownFrom == hyperconverged.Documentation })
}

// emptyCell is the text of an empty cell.
const emptyCell = "-"

// unknownCell is the text of a cell for want of facts.
const unknownCell = "?"

// grid is a table: a row for each template, machine or cluster.
type grid struct {
	header []string
	rows   [][]string
	// optional are the columns that a text leaves out if the table is too wide.
	optional []string
}

// write writes the table for people, for a width in characters.
func (g grid) write(out *bytes.Buffer, width int) {
	g = g.withoutEmpty()
	console.Table(out, slices.Concat([][]string{g.header}, g.rows), width, g.optional...)
}

// withoutEmpty returns the table without the columns that say nothing of any row.
func (g grid) withoutEmpty() grid {
	out := grid{optional: g.optional, rows: make([][]string, len(g.rows))}
	for i, name := range g.header {
		if i > 0 && !slices.ContainsFunc(g.rows, func(row []string) bool { return row[i] != emptyCell }) {
			continue
		}
		out.header = append(out.header, name)
		for j, row := range g.rows {
			out.rows[j] = append(out.rows[j], row[i])
		}
	}
	return out
}

// line returns a row as a line, without its first cell: "class: predefined, outcome: deployed".
func (g grid) line(row int) string {
	var parts []string
	for i, cell := range g.rows[row][1:] {
		parts = append(parts, strings.ToLower(g.header[i+1])+": "+cell)
	}
	return strings.Join(parts, ", ")
}

// outcomes returns the table of a forecast: what becomes of the cron of each template for each architecture that the cluster has
// or a cron imports for.
func outcomes(f forecast.Forecast) grid {
	columns, plain := architectures(f)
	g := grid{header: []string{"TEMPLATE", "CLASS", "OUTCOME"}, optional: []string{"CLASS", "DATASOURCE"}}
	for _, a := range columns {
		g.header = append(g.header, console.SafeLine(string(a)))
	}
	if plain {
		g.header = append(g.header, "any")
	}
	g.header = append(g.header, "DATASOURCE", "DEFAULT")
	crons, empty := f.CronsByTemplate(), emptyDefaults(f)
	for _, t := range f.Templates {
		row := []string{cmp.Or(t.Name, `""`), cmp.Or(string(t.Class), emptyCell), outcome(t)}
		for _, a := range columns {
			row = append(row, cell(crons[t.Name], t, a))
		}
		if plain {
			row = append(row, cell(crons[t.Name], t, ""))
		}
		g.rows = append(g.rows, cleaned(append(row, cmp.Or(t.ManagedDataSource, emptyCell), defaultArchitecture(empty, t))))
	}
	return g
}

// grid returns the table of the golden images of a CR: on which nodes each boots.
func (m images) grid(f forecast.Forecast) grid {
	g := grid{header: []string{"TEMPLATE", "DECLARED", "CLASS", "OUTCOME"}, optional: []string{"CLASS", "DATASOURCE"}}
	for _, a := range m.architectures {
		g.header = append(g.header, console.SafeLine(a))
	}
	g.header = append(g.header, "DATASOURCE", "DEFAULT")
	left, empty := m.rows, emptyDefaults(f)
	for _, t := range f.Templates {
		row := []string{cmp.Or(t.Name, `""`), claim(t), cmp.Or(string(t.Class), emptyCell), outcome(t)}
		boots := slices.Repeat([]string{emptyCell}, len(m.architectures))
		if !isOff(t) && len(left) > 0 { // none, if nothing is made of the CR
			for i, b := range left[0].boots {
				boots[i] = string(b) + documentedMark(t)
			}
			left = left[1:]
		}
		row = append(row, boots...)
		g.rows = append(g.rows, cleaned(append(row, cmp.Or(t.ManagedDataSource, emptyCell), defaultArchitecture(empty, t))))
	}
	return g
}

// outcome returns the word for the outcome of a template.
func outcome(t forecast.TemplateOutcome) string {
	if t.Outcome == forecast.NotDeployed {
		return "not deployed"
	}
	return string(t.Outcome)
}

// claim returns the declared architectures of a template. They are in quotes if they
// are empty or contain whitespace, because HCO reads them as they are.
func claim(t forecast.TemplateOutcome) string {
	switch {
	case t.Claim == nil:
		return emptyCell
	case *t.Claim == "" || strings.ContainsAny(*t.Claim, " \t\n"):
		return `"` + *t.Claim + `"`
	default:
		return *t.Claim
	}
}

// architectures returns the columns, and whether a cron imports for the architecture of
// whichever node runs it.
func architectures(f forecast.Forecast) (columns []arch.Arch, plain bool) {
	known := map[arch.Arch]bool{} // a live CR may state as many as it likes
	add := func(a arch.Arch) {
		if !known[a] {
			known[a] = true
			columns = append(columns, a)
		}
	}
	for _, a := range slices.Concat(f.ControlPlaneArchitectures, f.WorkloadArchitectures) {
		add(arch.Arch(a))
	}
	for _, c := range f.Crons {
		if c.Architecture == "" {
			plain = true
			continue
		}
		add(c.Architecture)
	}
	return columns, plain
}

// cell returns the outcome of a template's cron for an architecture.
func cell(crons []*forecast.CronOutcome, t forecast.TemplateOutcome, a arch.Arch) string {
	for _, c := range crons {
		if c.Architecture == a && t.Outcome != forecast.InError {
			return outcomeWords[c.Outcome] + documentedMark(t)
		}
	}
	return emptyCell
}

// documentedMark returns the sign of a template that is known from documentation only.
func documentedMark(t forecast.TemplateOutcome) string {
	if t.KnownFrom == hyperconverged.Documentation {
		return documented
	}
	return ""
}

// emptyDefaults returns the architectures of the default DataSources that nothing fills, by their names.
func emptyDefaults(f forecast.Forecast) map[string]string {
	out := map[string]string{}
	for _, r := range f.References {
		if _, known := out[r.Name]; !known && !r.Filled && r.State != forecast.UnknownTarget {
			out[r.Name] = r.DefaultArchitecture
		}
	}
	return out
}

// defaultArchitecture returns the architecture of the default DataSource. empty has those that
// nothing fills.
func defaultArchitecture(empty map[string]string, t forecast.TemplateOutcome) string {
	if a, ok := empty[t.ManagedDataSource]; ok {
		return a + " (empty)"
	}
	if len(t.PossibleDefaults) > 0 {
		return unknownCell
	}
	return cmp.Or(t.DefaultArchitecture, emptyCell)
}

// clusterLine returns what is known about the cluster.
func clusterLine(f forecast.Forecast) string {
	gate := "off"
	if f.MultiArchEnabled {
		gate = "on"
	}
	return console.SafeLine("workload " + listed(f.WorkloadArchitectures, f.WorkloadUnknown) +
		", control plane " + listed(f.ControlPlaneArchitectures, f.ControlPlaneUnknown) + ", gate " + gate)
}

// listed returns architectures in a line. An empty list is that of a cluster without such
// nodes only if something states that.
func listed(list []string, unknown bool) string {
	if unknown {
		return "unknown"
	}
	return cmp.Or(strings.Join(list, ","), "none")
}
