package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// schemaVersion is that of the JSON of "forecast". It increases when a key
// or a value changes its name; new keys do not change it.
//
//	1: without the field; `"fate"` was "given" or `"withheld"`
//	2: "outcome", which is "deployed" or "notDeployed"; "declaredArchitectures" and
//	   "effectiveArchitectures" were `"claim"` and "effectiveClaim", and the class
//	   "customized" was `"customised"`
const schemaVersion = 2

// ForecastDocument is what "forecast -o json" prints for one CR; docs/plan.md describes
// it.
type ForecastDocument struct {
	SchemaVersion int            `json:"schemaVersion"`
	Object        finding.Object `json:"object"`
	forecast.Forecast
	// Partial is the forecast of the CR without the templates that have an error; nil
	// if no template has one.
	Partial *forecast.Forecast `json:"partial,omitempty"`
	// Admission is null if the forecast uses the CR as written.
	Admission *admission.Admission `json:"admission"`
	// SchemaErrors are why the API server refuses the CR, by the schema of the CRD.
	SchemaErrors []string  `json:"schemaErrors"`
	Warnings     []warning `json:"warnings"`
}

type warning struct {
	ID       finding.ID       `json:"id"`
	Severity finding.Severity `json:"severity"`
	Field    string           `json:"field,omitempty"`
	Text     string           `json:"text"`
}

// ForecastJSON writes each forecast as a JSON object on one line.
func ForecastJSON(w io.Writer, list []forecast.Prediction) error {
	return writeJSON(w, "prediction", "prediction", "", mapped(list, toJSON)...)
}

func toJSON(one forecast.Prediction) ForecastDocument {
	out := ForecastDocument{
		SchemaVersion: schemaVersion,
		Object:        one.Object, Forecast: one.Forecast, Partial: one.Partial, SchemaErrors: []string{}, Warnings: []warning{},
	}
	if one.Admission != nil {
		out.Admission = &one.Admission.Admission
		out.SchemaErrors = append(out.SchemaErrors, one.Admission.SchemaErrors...)
	}
	for _, f := range one.Warnings {
		if f.ID == finding.WebhookWarns {
			continue // the admission contains it
		}
		out.Warnings = append(out.Warnings, warning{ID: f.ID, Severity: f.Severity, Field: f.Field, Text: f.Message()})
	}
	return out
}

// ForecastYAML writes the predicted DataImportCrons and DataSources as manifests. It
// hides credentials in them.
func ForecastYAML(w io.Writer, list []forecast.Prediction) error {
	var out bytes.Buffer
	for _, one := range list {
		for _, o := range slices.Concat(one.Forecast.DataImportCrons, one.Forecast.DataSourcesAfterCDI) {
			data, err := json.Marshal(o)
			if err == nil {
				data, err = k8syaml.JSONToYAML(redactJSON(data))
			}
			if err != nil {
				return fmt.Errorf("encode the object: %w", err)
			}
			if out.Len() > 0 {
				out.WriteString("---\n")
			}
			out.WriteString(comment(one.Forecast, o) + string(data))
		}
	}
	return write(w, "manifests", out.Bytes())
}

// comment returns the line above a manifest that is known from documentation only, ""
// for any other.
func comment(f forecast.Forecast, o expansion.Object) string {
	for _, c := range f.Crons {
		if c.KnownFrom == hyperconverged.Documentation && c.Namespace == o.Namespace() && (c.Name == o.Name() || c.ManagedDataSource == o.Name()) {
			return "# " + legend + "\n"
		}
	}
	return ""
}

// titleOf names an object and its file.
func titleOf(o finding.Object) string {
	out := o.String()
	if o.File != "" {
		out += " (" + o.File + ")"
	}
	if o.Cluster != "" {
		out = o.Cluster + ": " + out
	}
	return console.SafeLine(out)
}
