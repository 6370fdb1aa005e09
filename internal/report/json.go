package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// CheckDocument is what "check -o json" prints; docs/check.md describes it.
type CheckDocument struct {
	SchemaVersion int `json:"schemaVersion"`
	// Verdict is that of the run; repository has those of the clusters.
	Verdict check.Verdict `json:"verdict"`
	Passed  bool          `json:"passed"`
	// Sentence says in a sentence or two what boots where.
	Sentence string `json:"sentence"`
	// FailOn is the lowest severity that fails the check.
	FailOn   finding.Severity `json:"failOn"`
	Counts   countsJSON       `json:"counts"`
	Findings []findingJSON    `json:"findings"`
	CRs      []check.CR       `json:"crs"`
	// Pods are the objects with pods, Bundles how many paths are bundles of OLM.
	Pods    []finding.Object `json:"pods,omitempty"`
	Bundles int              `json:"bundles,omitempty"`
	// Crons are the DataImportCrons in Git.
	Crons []finding.Object `json:"dataImportCrons,omitempty"`
	// Operators says which architectures the operators among them support.
	Operators []supportJSON `json:"operators,omitempty"`
	Rendered  bool          `json:"rendered"`
	// Machines are the virtual machines.
	Machines []machineJSON `json:"machines,omitempty"`
	// Images has the golden images of each CR.
	Images  []images `json:"images"`
	Version string   `json:"version"`
	// Repository is what was found where a repository was checked.
	Repository *Repository `json:"repository,omitempty"`
	// Others is what else was found, looked at and skipped, with all paths.
	Others []Group `json:"others,omitempty"`
	// Since has what a change makes worse and better than its base.
	Since *sinceJSON `json:"since,omitempty"`
}

// sinceJSON is [Since] in the JSON document.
type sinceJSON struct {
	Base   string        `json:"base"`
	Worse  []findingJSON `json:"worse"`
	Better []findingJSON `json:"better"`
}

// checkSchemaVersion grows when a key or a value changes its name or its meaning.
const checkSchemaVersion = 4

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
	Object   *finding.Object  `json:"object"`
	File     string           `json:"file"`
	Line     int              `json:"line"`
	Field    string           `json:"field"`
	Template string           `json:"template"`
	Current  any              `json:"current"`
	Proposed any              `json:"proposed"`
	Text     string           `json:"text"`
	Do       string           `json:"do"`
	Help     string           `json:"help"`
	// Run is the command of the fix, and Changes are what the fix changes in the object.
	Run     string           `json:"run,omitempty"`
	Changes []finding.Change `json:"changes,omitempty"`
	// Clusters are the clusters of a repository that have the finding.
	Clusters []string `json:"clusters,omitempty"`
}

// JSON writes a check as one JSON document.
func JSON(w io.Writer, c Check) error {
	shown, told := c.Shown(), c.tell()
	doc := CheckDocument{
		SchemaVersion: checkSchemaVersion, Verdict: c.Verdict(), Passed: c.Passed(), Sentence: told.sentence(), FailOn: c.failOn(),
		Counts:   countsJSON{Errors: shown.Count(finding.Error), Warnings: shown.Count(finding.Warning), Infos: shown.Count(finding.Info)},
		Findings: c.findingsJSON(), Pods: c.Pods, Bundles: c.Bundles, Operators: mapped(c.Supports, toSupportJSON), Crons: c.Crons, Rendered: c.Rendered,
		Machines: mapped(c.Machines, toMachineJSON), Images: append([]images{}, told.images...), Version: c.Version, Others: c.Others,
	}
	if s := c.Since; s != nil {
		doc.Since = &sinceJSON{Base: s.Base, Worse: c.with(s.Worse).findingsJSON(), Better: c.with(s.Better).findingsJSON()}
	}
	for _, n := range c.Ignored {
		doc.Counts.Ignored += n
	}
	if r := c.Repository; r != nil {
		doc.Repository = &Repository{append([]Cluster{}, r.Clusters...)}
	}
	doc.CRs = mapped(c.CRs, func(cr check.CR) check.CR {
		cr.Changes = append([]string{}, cr.Changes...)
		return cr
	})
	return writeJSON(w, "report", "check", "  ", doc)
}

// writeJSON writes documents as JSON. what names what is written in an error, and of what is encoded.
func writeJSON[T any](w io.Writer, what, of, indent string, documents ...T) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	for _, one := range documents {
		if err := encoder.Encode(one); err != nil {
			return fmt.Errorf("encode the %s: %w", of, err)
		}
	}
	return write(w, what, console.SafeJSON(redactJSON(out.Bytes())))
}

// findingsJSON returns the findings, each with the clusters that have it.
func (c Check) findingsJSON() []findingJSON {
	return mapped(c.grouped(), func(f grouped) findingJSON {
		file, line := place(f.Finding)
		one := findingJSON{
			ID: f.ID, Severity: f.Severity, Title: f.ID.Title(), File: file, Line: line, Field: f.Field, Template: f.Template, Current: f.Current,
			Proposed: f.Proposed, Text: f.Text, Do: f.Do, Help: help(f.ID), Run: f.Run, Changes: f.Changes, Clusters: f.clusters,
		}
		if f.Object.Cluster = ""; f.Object.Kind != "" {
			one.Object = &f.Object
		}
		return one
	})
}
