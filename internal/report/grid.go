package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// outcomeWords says what becomes of a DataImportCron.
var outcomeWords = map[forecast.Outcome]string{
	forecast.Created: "imported", forecast.Refused: "refused", forecast.Overwritten: "overwritten",
	forecast.Removed: "removed", forecast.NotCreated: "not created", forecast.ImportFails: "import fails",
}

// The mark of what rests on documentation only, and what it means.
const (
	documented = "*"
	legend     = "This prediction uses documentation. Pass the live CR (--live) for the cluster's own predefined templates."
)

// restsOnDocumentation reports whether a prediction has a cell with the mark.
func restsOnDocumentation(f forecast.Forecast) bool {
	return slices.ContainsFunc(f.Templates, func(t forecast.TemplateOutcome) bool { return t.KnownFrom == hyperconverged.Documentation })
}

// emptyCell is what stands in a cell of which there is nothing to say.
const emptyCell = "-"

// grid is a table: a row for each template, and a column for each architecture
// that the cluster has or a cron imports for.
type grid struct {
	header []string
	rows   [][]string
}

// templates returns the table of a forecast, with a column for the claims if that
// is wanted.
func templates(f forecast.Forecast, claims bool) grid {
	columns, plain := architectures(f)
	g := grid{header: []string{"TEMPLATE"}}
	if claims {
		g.header = append(g.header, "DECLARED")
	}
	g.header = append(g.header, "CLASS", "OUTCOME")
	for _, a := range columns {
		g.header = append(g.header, clean(string(a)))
	}
	if plain {
		g.header = append(g.header, "any")
	}
	g.header = append(g.header, "DATASOURCE", "DEFAULT")
	for _, t := range f.Templates {
		row := []string{cmp.Or(t.Name, `""`)}
		if claims {
			row = append(row, claim(t))
		}
		row = append(row, cmp.Or(cmp.Or(string(t.Class), emptyCell), emptyCell), outcome(t))
		for _, a := range columns {
			row = append(row, cell(f, t, a))
		}
		if plain {
			row = append(row, cell(f, t, ""))
		}
		g.rows = append(g.rows, cleaned(append(row, cmp.Or(t.ManagedDataSource, emptyCell), defaultArchitecture(f, t))))
	}
	return g
}

// outcome says what becomes of a template.
func outcome(t forecast.TemplateOutcome) string {
	if t.Outcome == forecast.NotDeployed {
		return "not deployed"
	}
	return string(t.Outcome)
}

// claim returns the claim that counts, in quotes where it holds a blank or
// nothing: HCO reads both as they are.
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

// architectures returns the columns, and whether a cron imports for whatever
// architecture its node has.
func architectures(f forecast.Forecast) (columns []arch.Arch, plain bool) {
	add := func(a arch.Arch) {
		if !slices.Contains(columns, a) {
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

// cell says what becomes of a template's cron for an architecture.
func cell(f forecast.Forecast, t forecast.TemplateOutcome, a arch.Arch) string {
	for _, c := range f.Crons {
		if c.Template == t.Name && c.Architecture == a && t.Outcome != forecast.InError {
			return outcomeWords[c.Outcome] + documentedMark(t)
		}
	}
	return emptyCell
}

// documentedMark returns the mark of a template that rests on documentation only.
func documentedMark(t forecast.TemplateOutcome) string {
	if t.KnownFrom == hyperconverged.Documentation {
		return documented
	}
	return ""
}

// defaultArchitecture says which architecture the plain DataSource stands for.
func defaultArchitecture(f forecast.Forecast, t forecast.TemplateOutcome) string {
	for _, r := range f.References {
		if r.Name == t.ManagedDataSource && !r.Filled {
			return r.DefaultArchitecture + " (empty)"
		}
	}
	return cmp.Or(t.DefaultArchitecture, emptyCell)
}

// clusterLine says what is known of the cluster.
func clusterLine(f forecast.Forecast) string {
	gate := "off"
	if f.MultiArchEnabled {
		gate = "on"
	}
	return clean("workload " + orNone(f.WorkloadArchitectures) + ", control plane " + orNone(f.ControlPlaneArchitectures) + ", gate " + gate)
}

func orNone(list []string) string {
	return cmp.Or(strings.Join(list, ","), "none")
}
