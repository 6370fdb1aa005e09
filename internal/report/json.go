package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// CheckDocument is what "check -o json" prints; docs/formats.md describes it.
type CheckDocument struct {
	SchemaVersion int `json:"schemaVersion"`
	// Verdict is that of the run; repository has those of the clusters.
	Verdict check.Verdict `json:"verdict"`
	Passed  bool          `json:"passed"`
	// FailOn is the lowest severity that fails the check.
	FailOn   finding.Severity `json:"failOn"`
	Counts   countsJSON       `json:"counts"`
	Findings []findingJSON    `json:"findings"`
	CRs      []crJSON         `json:"crs"`
	// Pods are the objects with pods, Bundles how many paths are bundles of OLM.
	Pods     []object `json:"pods,omitempty"`
	Bundles  int      `json:"bundles,omitempty"`
	Rendered bool     `json:"rendered"`
	// Machines are the virtual machines.
	Machines []machineJSON `json:"machines,omitempty"`
	// Lacking lists the workload architectures that some templates lack.
	Lacking []lackJSON `json:"lacking"`
	// Forecasts has what "forecast -o json" prints for each CR.
	Forecasts []ForecastDocument `json:"forecasts"`
	Version   string             `json:"version"`
	// Repository is what was found where a repository was checked.
	Repository *repositoryJSON `json:"repository,omitempty"`
	// Since has what a change makes worse and better than its base.
	Since *sinceJSON `json:"since,omitempty"`
}

// checkSchemaVersion grows when a key or a value changes its name or its meaning.
const checkSchemaVersion = 3

type repositoryJSON struct {
	Clusters []Cluster `json:"clusters"`
	Others   []Group   `json:"others"`
}

type countsJSON struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	// Ignored is how many findings exceptions omit.
	Ignored int `json:"ignored,omitempty"`
}

type findingJSON struct {
	ID       finding.ID       `json:"id"`
	Severity finding.Severity `json:"severity"`
	Title    string           `json:"title"`
	Object   *object          `json:"object"`
	File     string           `json:"file"`
	Line     int              `json:"line"`
	Field    string           `json:"field"`
	Template string           `json:"template"`
	Current  any              `json:"current"`
	Proposed any              `json:"proposed"`
	Text     string           `json:"text"`
	Do       string           `json:"do"`
	Help     string           `json:"help"`
	// Clusters are the clusters of a repository that have the finding.
	Clusters []string `json:"clusters,omitempty"`
}

type lackJSON struct {
	Object       object   `json:"object"`
	Architecture string   `json:"architecture"`
	Templates    []string `json:"templates"`
	// Of is the total number of templates.
	Of int `json:"of"`
}

type crJSON struct {
	Object  object   `json:"object"`
	Changes []string `json:"changes"`
}

// JSON writes a check as one JSON document.
func JSON(w io.Writer, c Check) error {
	shown := c.Shown()
	doc := CheckDocument{
		SchemaVersion: checkSchemaVersion, Verdict: c.Verdict(),
		Passed: c.Passed(), FailOn: c.failOn(),
		Counts: countsJSON{
			Errors: shown.Count(finding.Error), Warnings: shown.Count(finding.Warning), Infos: shown.Count(finding.Info),
			Ignored: c.ignored(),
		},
		Findings: []findingJSON{}, CRs: []crJSON{}, Bundles: c.Bundles, Rendered: c.Rendered,
		Lacking: []lackJSON{}, Forecasts: []ForecastDocument{}, Version: c.Version, Since: c.Since.toJSON(c),
	}
	for _, f := range c.grouped() {
		doc.Findings = append(doc.Findings, toGroupedJSON(f))
	}
	if r := c.Repository; r != nil {
		doc.Repository = &repositoryJSON{Clusters: append([]Cluster{}, r.Clusters...), Others: append([]Group{}, r.Others...)}
	}
	for _, cr := range c.CRs {
		doc.CRs = append(doc.CRs, crJSON{Object: toObject(cr.Object), Changes: append([]string{}, cr.Changes...)})
	}
	for _, at := range c.Pods {
		doc.Pods = append(doc.Pods, toObject(at))
	}
	for _, one := range c.Machines {
		doc.Machines = append(doc.Machines, toMachineJSON(one))
	}
	for _, one := range c.Forecast {
		doc.Forecasts = append(doc.Forecasts, toJSON(one))
		if shown := one.Shown(); shown != nil {
			for _, l := range lacking(*shown) {
				doc.Lacking = append(doc.Lacking, lackJSON{Object: toObject(one.Object), Architecture: l.architecture, Templates: l.templates, Of: l.of})
			}
		}
	}
	return writeJSON(w, "report", "check", doc)
}

// writeJSON writes a document as JSON. what names what is written in an error, and of what is encoded.
func writeJSON(w io.Writer, what, of string, doc any) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(doc); err != nil {
		return fmt.Errorf("encode the %s: %w", of, err)
	}
	return write(w, what, console.SafeJSON(redactJSON(out.Bytes())))
}

// toGroupedJSON returns a finding with the clusters that have it.
func toGroupedJSON(f grouped) findingJSON {
	f.Object.Cluster = ""
	out := toFindingJSON(f.Finding)
	out.Clusters = f.clusters
	return out
}

func toFindingJSON(f finding.Finding) findingJSON {
	file, line := place(f)
	out := findingJSON{
		ID: f.ID, Severity: f.Severity, Title: f.ID.Title(), File: file, Line: line, Field: f.Field, Template: f.Template,
		Current: f.Current, Proposed: f.Proposed, Text: f.Text, Do: f.Do, Help: help(f.ID),
	}
	if f.Object.Kind != "" {
		at := toObject(f.Object)
		out.Object = &at
	}
	return out
}

func toObject(o finding.Object) object {
	return object{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, File: o.File, Cluster: o.Cluster}
}
