package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Repository is what was found in a repository with many clusters.
type Repository struct {
	Clusters []Cluster
	// Others is what else was found, looked at and skipped.
	Others []Group
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

func (r *Repository) count() string { return finding.Count(len(r.Clusters), "cluster") }

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
	var out []grouped
	if c.Repository == nil {
		for _, f := range c.Findings {
			out = append(out, grouped{Finding: f})
		}
		return out
	}
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
	var out finding.List
	for _, f := range c.grouped() {
		out = append(out, f.Finding)
	}
	return out
}

// names returns the names of clusters, a few of them if there are many.
func (r *Repository) names(clusters []string) string {
	const shown = 3
	switch n := len(clusters); {
	case n > 1 && n == len(r.Clusters):
		return fmt.Sprintf("all %d clusters", n)
	case n > shown+1:
		return fmt.Sprintf("%s and %d more clusters", strings.Join(clusters[:shown], ", "), n-shown)
	default:
		return strings.Join(clusters, ", ")
	}
}

// lines returns a line for each group: what it is, how many there are, and some names.
func (r *Repository) lines() []string {
	const shown = 5
	var out []string
	for _, g := range r.Others {
		line := fmt.Sprintf("%s: %d", g.What, g.Count)
		if len(g.Names) > 0 {
			line += " (" + finding.Shortened(g.Names, shown) + ")"
		}
		out = append(out, console.SafeLine(line))
	}
	return out
}

// clusterGrid is the table of the clusters.
func (r *Repository) clusterGrid() grid {
	g := grid{header: []string{"CLUSTER", "PATH", "KIND", "VERDICT", "ERRORS", "WARNINGS"}}
	if !slices.ContainsFunc(r.Clusters, func(c Cluster) bool { return c.Name != c.Path }) {
		g.optional = []string{"PATH"}
	}
	for _, c := range r.Clusters {
		g.rows = append(g.rows, cleaned([]string{c.Name, c.Path, c.Kind, string(c.Verdict), fmt.Sprint(c.Errors), fmt.Sprint(c.Warnings)}))
	}
	return g
}
