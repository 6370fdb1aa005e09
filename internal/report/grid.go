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

// grid is a table. what says what a row is: "template", and more stands below the rows of a table that was cut.
type grid struct {
	what, more string

	header []string
	rows   [][]string
	// optional are the columns that a text leaves out if the table is too wide.
	optional []string
}

// write writes the table for people, for a width in characters.
func (g grid) write(out *bytes.Buffer, width int) {
	if len(g.rows) > 0 {
		console.Table(out, slices.Concat([][]string{g.header}, g.rows), width, g.optional...)
		out.WriteString(g.more)
	}
}

// withoutEmpty returns the table without the columns that say nothing of any row.
func (g grid) withoutEmpty() grid {
	return g.columns(func(i int) bool {
		return i == 0 || slices.ContainsFunc(g.rows, func(row []string) bool { return row[i] != emptyCell })
	})
}

// columns returns the table with some of its columns.
func (g grid) columns(keep func(int) bool) grid {
	out := g
	out.header, out.rows = nil, make([][]string, len(g.rows))
	for i, name := range g.header {
		if !keep(i) {
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
func (g grid) line(row []string) string {
	var parts []string
	for i, cell := range row[1:] {
		parts = append(parts, strings.ToLower(g.header[i+1])+": "+cell)
	}
	return strings.Join(parts, ", ")
}

// outcomes returns the table of a forecast: what becomes of the cron of each template for each architecture that the cluster has
// or a cron imports for.
func outcomes(f forecast.Forecast) grid {
	columns, plain := architectures(f)
	header := slices.Clone(columns)
	if plain {
		columns, header = append(columns, ""), append(header, "any")
	}
	crons := f.CronsByTemplate()
	g := templateGrid(f, header, func(t forecast.TemplateOutcome) []string {
		var out []string
		for _, a := range columns {
			out = append(out, cell(crons[t.Name], t, arch.Arch(a)))
		}
		return out
	})
	return g.columns(func(i int) bool { return g.header[i] != declaredHeader })
}

// grid returns the table of the golden images of a CR: on which nodes each boots.
func (m images) grid(f forecast.Forecast) grid {
	left := m.Templates
	return templateGrid(f, m.Architectures, func(t forecast.TemplateOutcome) []string {
		out := slices.Repeat([]string{emptyCell}, len(m.Architectures))
		if !isOff(t) && len(left) > 0 { // none, if nothing is made of the CR
			for i, a := range m.Architectures {
				out[i] = string(left[0].Boots[a]) + documentedMark(t)
			}
			left = left[1:]
		}
		return out
	})
}

// declaredHeader is the header of the declared architectures.
const declaredHeader = "DECLARED"

// templateGrid returns a table of the templates of a forecast. of returns the cells of a template for the architectures.
func templateGrid(f forecast.Forecast, architectures []string, of func(forecast.TemplateOutcome) []string) grid {
	g := grid{
		what: "template", optional: []string{"CLASS", "DATASOURCE"},
		header: slices.Concat([]string{"TEMPLATE", declaredHeader, "CLASS", "OUTCOME"}, cleaned(architectures), []string{"DATASOURCE", "DEFAULT"}),
	}
	empty := emptyDefaults(f)
	for _, t := range f.Templates {
		g.rows = append(g.rows, cleaned(slices.Concat(
			[]string{cmp.Or(t.Name, `""`), claim(t), cmp.Or(string(t.Class), emptyCell), outcome(t)}, of(t),
			[]string{cmp.Or(t.ManagedDataSource, emptyCell), defaultArchitecture(empty, t)})))
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

// architectures returns those of the cluster and of the crons, and whether a cron imports for the architecture of
// whichever node runs it.
func architectures(f forecast.Forecast) (columns []string, plain bool) {
	columns = slices.Concat(f.ControlPlaneArchitectures, f.WorkloadArchitectures)
	for _, c := range f.Crons {
		if c.Architecture == "" {
			plain = true
		} else {
			columns = append(columns, string(c.Architecture))
		}
	}
	return distinct(columns), plain // a live CR may state as many as it likes
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
