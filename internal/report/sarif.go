package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// sarifLog is the used part of SARIF 2.1.0 (OASIS sarif-v2.1.0).
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver struct {
			Name           string      `json:"name"`
			InformationURI string      `json:"informationUri"`
			Version        string      `json:"version"`
			Rules          []sarifRule `json:"rules"`
		} `json:"driver"`
	} `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
	// Properties are goldenarch's own.
	Properties struct {
		Verdict  check.Verdict            `json:"verdict"`
		Clusters map[string]check.Verdict `json:"clusters,omitempty"`
		Machines []machineJSON            `json:"machines,omitempty"`
	} `json:"properties"`
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

// sarifLocation is a place in a file. GitHub requires one, with a line, in each result.
type sarifLocation struct {
	PhysicalLocation struct {
		ArtifactLocation struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			StartLine int `json:"startLine"`
		} `json:"region"`
	} `json:"physicalLocation"`
	LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifLogical struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}

// levels are SARIF's words for severities.
var levels = map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "note"}

// SARIF writes the findings of a check as a SARIF 2.1.0 log.
func SARIF(w io.Writer, c Check) error {
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{}}
	driver := &run.Tool.Driver
	driver.Name, driver.InformationURI, driver.Version, driver.Rules = "goldenarch", "https://github.com/goldenarch/goldenarch", c.Version, []sarifRule{}
	run.Properties.Verdict, run.Properties.Machines = c.Verdict(), mapped(c.Machines, toMachineJSON)
	if c.Repository != nil {
		run.Properties.Clusters = map[string]check.Verdict{}
		for _, one := range c.Repository.Clusters {
			run.Properties.Clusters[console.SafeLine(one.Name)] = one.Verdict
		}
	}
	index := map[finding.ID]int{}
	for _, f := range c.Findings {
		index[f.ID] = 0
	}
	for i, id := range slices.Sorted(maps.Keys(index)) {
		index[id] = i
		driver.Rules = append(driver.Rules, sarifRule{string(id), sarifMessage{id.Title()}, help(id)})
	}
	for _, f := range c.grouped() {
		message := f.Message()
		if f.Object.Cluster != "" {
			message += " (in " + f.Object.Cluster + ")"
		}
		run.Results = append(run.Results, sarifResult{
			RuleID: string(f.ID), RuleIndex: index[f.ID], Level: levels[f.Severity],
			Message: sarifMessage{console.SafeLine(message)}, Locations: []sarifLocation{c.locationOf(f.Finding)},
			PartialFingerprints: map[string]string{"goldenarch/v1": fingerprint(f)},
		})
	}
	return writeJSON(w, "report", "log", "  ", sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
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
func (c Check) locationOf(f finding.Finding) sarifLocation {
	file, line := place(f)
	if file == "" {
		file, line = c.Place, 1
	}
	var at sarifLocation
	at.PhysicalLocation.ArtifactLocation.URI, at.PhysicalLocation.Region.StartLine = uri(file), max(line, 1)
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
