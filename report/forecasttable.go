package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/goldenarch/goldenarch/arch"
	"github.com/goldenarch/goldenarch/forecast"
)

// words says what becomes of a DataImportCron.
var words = map[forecast.Fate]string{
	forecast.Created: "imported", forecast.Refused: "refused", forecast.Overwritten: "overwritten",
	forecast.Removed: "removed", forecast.NotCreated: "not created",
}

func writeCluster(out *bytes.Buffer, f forecast.Forecast) {
	gate := "off"
	if f.MultiArchEnabled {
		gate = "on"
	}
	fmt.Fprintf(out, "workload %s, control plane %s, gate %s\n", orNone(f.WorkloadArchitectures), orNone(f.ControlPlaneArchitectures), gate)
}

func orNone(list []string) string {
	return cmp.Or(strings.Join(list, ","), "none")
}

// writeTemplates writes a row for each template, and a column for each
// architecture that the cluster has or a cron imports for.
func writeTemplates(out *bytes.Buffer, f forecast.Forecast) {
	if len(f.Templates) == 0 {
		return
	}
	out.WriteString("\n")
	columns, plain := architectures(f)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	header := []string{"TEMPLATE", "CLASS", "FATE"}
	for _, a := range columns {
		header = append(header, string(a))
	}
	if plain {
		header = append(header, "any")
	}
	fmt.Fprintln(table, strings.Join(append(header, "DATASOURCE", "DEFAULT"), "\t"))
	for _, t := range f.Templates {
		row := []string{cmp.Or(t.Name, `""`), string(t.Class), string(t.Fate)}
		for _, a := range columns {
			row = append(row, cell(f, t, a))
		}
		if plain {
			row = append(row, cell(f, t, ""))
		}
		row = append(row, cmp.Or(t.ManagedDataSource, "-"), standard(f, t))
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	table.Flush() // into a buffer, which does not fail
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
func cell(f forecast.Forecast, t forecast.TemplateFate, a arch.Arch) string {
	for _, c := range f.Crons {
		if c.Template == t.Name && c.Architecture == a {
			return words[c.Fate]
		}
	}
	return "-"
}

// standard says which architecture the plain DataSource stands for.
func standard(f forecast.Forecast, t forecast.TemplateFate) string {
	for _, r := range f.References {
		if r.Name == t.ManagedDataSource && !r.Filled {
			return r.DefaultArchitecture + " (empty)"
		}
	}
	return cmp.Or(t.DefaultArchitecture, "-")
}
