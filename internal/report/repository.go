package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Repository is what was found in a repository with many clusters.
type Repository struct {
	Clusters []Cluster `json:"clusters"`
}

// Cluster is a cluster of a repository.
type Cluster struct {
	// Name is the name of the cluster, and Path where it is.
	Name string `json:"name"`
	Path string `json:"path"`
	// Kind says how its manifests are made: kustomization, directory or file.
	Kind     string `json:"kind"`
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`
	// Rendered says that the cluster has no error.
	Rendered bool `json:"rendered"`
	// Verdict is that of the cluster, and As the form that was judged.
	Verdict check.Verdict `json:"verdict"`
	As      check.As      `json:"as"`
}

// Group is a number of files or directories of a repository.
type Group struct {
	What  string   `json:"what"`
	Count int      `json:"count"`
	Names []string `json:"names,omitempty"`
}

// ofMany reports whether a check is of several clusters.
func (c Check) ofMany() bool { return c.Repository != nil && len(c.Repository.Clusters) > 1 }

// cluster returns a cluster of a repository by its name, nil if it has none of that name. A
// repository with one cluster does not name it.
func (r *Repository) cluster(name string) *Cluster {
	if r == nil {
		return nil
	}
	if name == "" && len(r.Clusters) == 1 {
		return &r.Clusters[0]
	}
	if i := slices.IndexFunc(r.Clusters, func(c Cluster) bool { return c.Name == name }); i >= 0 {
		return &r.Clusters[i]
	}
	return nil
}

// grouped is a finding with the clusters that have it.
type grouped struct {
	finding.Finding

	clusters []string
}

// grouped returns the findings, those that several clusters have as one: overlays of one
// base have what is wrong with the base.
func (c Check) grouped() []grouped {
	if c.Repository == nil {
		return mapped(c.Findings, func(f finding.Finding) grouped { return grouped{Finding: f} })
	}
	var out []grouped
	places := map[string]int{}
	for _, f := range c.Findings {
		cluster := f.Object.Cluster
		f.Object.Cluster = ""
		key := fmt.Sprintf("%s\x00%d\x00%s\x00%v\x00%v", f, f.Object.Index, f.Object.Namespace, f.Current, f.Proposed)
		at, known := places[key]
		if !known {
			at = len(out)
			places[key] = at
			out = append(out, grouped{Finding: f})
		}
		if cluster != "" && !slices.Contains(out[at].clusters, cluster) {
			out[at].clusters = append(out[at].clusters, cluster)
		}
	}
	for i := range out {
		out[i].Object.Cluster = c.Repository.names(out[i].clusters)
	}
	return out
}

// Shown returns the findings as the report shows them.
func (c Check) Shown() finding.List {
	return mapped(c.grouped(), func(f grouped) finding.Finding { return f.Finding })
}

// names returns the names of clusters, a few of them if there are many.
func (r *Repository) names(clusters []string) string {
	const shown = 3
	switch n := len(clusters); {
	case n > 1 && n == len(r.Clusters):
		return fmt.Sprintf("all %d clusters", n)
	case n > shown+1:
		return finding.Shortened(clusters, shown) + " clusters"
	default:
		return strings.Join(clusters, ", ")
	}
}

// others returns a line for each group: what it is, how many there are, and some names.
func (c Check) others() []string {
	const shown = 5
	var out []string
	for _, g := range c.Others {
		line := fmt.Sprintf("%s: %d", g.What, g.Count)
		if len(g.Names) > 0 {
			line += " (" + finding.Shortened(g.Names, shown) + ")"
		}
		out = append(out, console.SafeLine(line))
	}
	return out
}

// fewClusters is how many clusters a text shows all. Of more, it shows those in which something is wrong.
const fewClusters = 10

// mostColumns is how many columns of templates the table of the clusters has, and mostRows how many clusters a text shows.
const (
	mostColumns = 6
	mostRows    = 25
)

// clusterTable is the table of the clusters: their verdicts, and for each template that some nodes do not get a letter for each
// architecture. Of many it has the clusters in which something is wrong. Its note says what the letters are.
func (c story) clusterTable() part {
	g := grid{what: "cluster", header: []string{"CLUSTER", "VERDICT", "ERRORS", "WARNINGS"}, optional: []string{"WARNINGS", "ERRORS"}}
	templates, architectures := c.templates(true), c.architectures()
	cells := make([][]string, len(templates)) // by template and cluster
	for _, one := range c.Repository.Clusters {
		if len(c.Repository.Clusters) > fewClusters && c.isFine(one) {
			continue
		}
		g.rows = append(g.rows, cleaned([]string{one.Name, string(one.Verdict), fmt.Sprint(one.Errors), fmt.Sprint(one.Warnings)}))
		for i, template := range templates {
			cells[i] = append(cells[i], c.lettersOf(one.Name, template, architectures))
		}
	}
	if len(templates) == 0 || len(g.rows) == 0 {
		return part{table: g.withoutEmpty()}
	}
	fixed, joined := len(g.header), g.addAlike(templates, cells)
	var shown strings.Builder
	for _, row := range g.rows {
		shown.WriteString(strings.Join(row[fixed:], ""))
	}
	return part{table: g.withoutEmpty(), note: console.SafeLine(lettersOn(architectures, shown.String(), joined))}
}

// addAlike adds columns to a table, up to [mostColumns]. Those with the same cells are one, whose title has the name of the first
// and how many more there are. It reports whether there is such a column.
func (g *grid) addAlike(names []string, cells [][]string) (joined bool) {
	var columns []string
	alike := map[string][]int{}
	for i := range names {
		column := strings.Join(cells[i], " ")
		columns, alike[column] = append(columns, column), append(alike[column], i)
	}
	columns = distinct(columns)
	for _, column := range columns[:min(len(columns), mostColumns)] {
		first, title := alike[column][0], names[alike[column][0]]
		if more := len(alike[column]) - 1; more > 0 {
			title, joined = fmt.Sprintf("%s +%d", title, more), true
		}
		g.header = append(g.header, console.SafeLine(title))
		for row := range g.rows {
			g.rows[row] = append(g.rows[row], cells[first][row])
		}
	}
	return joined
}

// lettersOf returns a letter for each architecture: what its nodes get of a template in a cluster.
func (c story) lettersOf(cluster, template string, architectures []string) string {
	for _, i := range c.predictions[cluster] {
		for _, r := range c.images[i].Templates {
			if r.Name != template {
				continue
			}
			out := strings.Join(mapped(architectures, func(a string) string { return cmp.Or(letters[r.Boots[a]], emptyCell) }), "")
			if r.Documented {
				out += documented
			}
			return out
		}
	}
	return emptyCell
}
