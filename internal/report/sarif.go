package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// The used part of SARIF 2.1.0 (OASIS sarif-v2.1.0). GitHub requires a location and a
// line in each result.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
	// Properties are goldenarch's own.
	Properties sarifProperties `json:"properties"`
}

type sarifProperties struct {
	Verdict  check.Verdict            `json:"verdict"`
	Clusters map[string]check.Verdict `json:"clusters,omitempty"`
	Machines []machineJSON            `json:"machines,omitempty"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	InformationURI string      `json:"informationUri"`
	Version        string      `json:"version"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string       `json:"id"`
	ShortDescription sarifMessage `json:"shortDescription"`
	HelpURI          string       `json:"helpUri"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations"`
	// PartialFingerprints tell a result from others, also after an edit that moves its line.
	PartialFingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	PhysicalLocation sarifPhysical  `json:"physicalLocation"`
	LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifLogical struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}

// levels are SARIF's words for severities.
var levels = map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "note"}

// SARIF writes the findings of a check as a SARIF 2.1.0 log.
func SARIF(w io.Writer, c Check) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "goldenarch", InformationURI: "https://github.com/goldenarch/goldenarch", Version: c.Version, Rules: []sarifRule{},
		}},
		ColumnKind: "utf16CodeUnits", Results: []sarifResult{}, Properties: sarifProperties{Verdict: c.Verdict()},
	}
	if c.Repository != nil {
		run.Properties.Clusters = map[string]check.Verdict{}
		for _, one := range c.Repository.Clusters {
			run.Properties.Clusters[console.SafeLine(one.Name)] = one.Verdict
		}
	}
	for _, one := range c.Machines {
		run.Properties.Machines = append(run.Properties.Machines, toMachineJSON(one))
	}
	var ids []finding.ID
	for _, f := range c.Findings {
		ids = append(ids, f.ID)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for _, id := range ids {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: string(id), ShortDescription: sarifMessage{id.Title()}, HelpURI: help(id)})
	}
	for _, f := range c.grouped() {
		message := f.Message()
		if f.Object.Cluster != "" {
			message += " (in " + f.Object.Cluster + ")"
		}
		run.Results = append(run.Results, sarifResult{
			RuleID: string(f.ID), RuleIndex: slices.Index(ids, f.ID), Level: levels[f.Severity],
			Message: sarifMessage{console.SafeLine(message)}, Locations: []sarifLocation{locationOf(c, f.Finding)},
			PartialFingerprints: map[string]string{"goldenarch/v1": fingerprint(f)},
		})
	}
	return writeJSON(w, "report", "log", sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

// fingerprint returns what a finding is about as a hash, without its line and its text.
func fingerprint(f grouped) string {
	at := f.Object
	sum := sha256.Sum256([]byte(strings.Join([]string{
		string(f.ID), at.File, at.APIVersion, at.Kind, at.Namespace, at.Name, f.Field, f.Template, strings.Join(f.clusters, ","),
	}, "\x00")))
	return hex.EncodeToString(sum[:])
}

// locationOf returns the location of a finding. Without a file, it is the first line
// of the input of the check.
func locationOf(c Check, f finding.Finding) sarifLocation {
	at := sarifLocation{PhysicalLocation: sarifPhysical{sarifArtifact{uri(c.Place)}, sarifRegion{1}}}
	if file, line := place(f); file != "" {
		at.PhysicalLocation = sarifPhysical{sarifArtifact{uri(file)}, sarifRegion{max(line, 1)}}
	}
	if name := strings.ReplaceAll(where(f), " ", "/"); name != "" {
		at.LogicalLocations = []sarifLogical{{FullyQualifiedName: name, Kind: "object"}}
	}
	return at
}

// uri returns a path as a URI: relative to the working directory, or with the scheme
// file.
func uri(path string) string {
	u := url.URL{Path: console.Redact(path)}
	if strings.HasPrefix(path, "/") {
		u.Scheme = "file"
	}
	return u.String()
}
