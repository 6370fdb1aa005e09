package engine

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/engine/livecr"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/transition"
)

// stuckImports reports the imports on the cluster that do not end, and the alerts that fire
// there, if the items with the live CR also have the objects of the golden images. It names
// the findings of the check that explain an import.
func stuckImports(items []*yaml.RNode, c check.Result) finding.List {
	var objects []expansion.Object
	for _, o := range object.All(items) {
		if !transition.ShowsImports(o.At.Kind) {
			continue
		}
		if tree, err := o.Tree(); err == nil { // the API server has read it
			objects = append(objects, expansion.Object(tree))
		}
	}
	if len(objects) == 0 {
		return nil
	}
	live, _ := livecr.Read(items, nil) // the run reports a wrong one
	var found finding.List
	for _, one := range transition.StuckImports(objects) {
		reasons := make([]string, 0, len(one.Conditions))
		for _, o := range one.Conditions {
			reasons = append(reasons, fmt.Sprintf("%s %s: %s", o.Kind, o.Name, strings.TrimSuffix(o.Reason, ".")))
		}
		of := "of " + one.Architecture
		if one.Architecture == "" {
			of = "without an architecture"
		}
		stuck := finding.Finding{
			ID: finding.ImportStuck, Severity: finding.Warning, Template: one.Template,
			Object: finding.Object{Kind: one.Cron.Kind, Namespace: one.Cron.Namespace, Name: one.Cron.Name},
			Text:   fmt.Sprintf("on the cluster, the import %s does not end. %s", of, strings.Join(reasons, ". ")),
			Do:     "read the events and the log of the pod importer-… in that namespace",
		}
		if ids := explaining(c.Findings, one.Template); len(ids) > 0 {
			stuck.Text += ". " + strings.Join(ids, ", ") + " of this check explains it"
			stuck.Do = "follow the advice of " + ids[0]
		}
		found = append(found, stuck)
	}
	for _, a := range firing(live, c.Forecast) {
		f := finding.Finding{
			ID: finding.ImportStuck, Severity: finding.Warning, Object: live.At, Template: a.Template, Do: prediction.Advice[a.Name],
			Text: "on the cluster, the alert " + a.Name + " fires",
		}
		if a.Template != "" {
			f.Text += fmt.Sprintf(" for template %q", a.Template)
		}
		found = append(found, f)
	}
	return found
}

// explaining returns the ids of the findings about a template that are more than information.
func explaining(found finding.List, template string) []string {
	var out []string
	for _, f := range found {
		if f.Template == template && f.Severity != finding.Info && f.ID != finding.ImportStuck && !slices.Contains(out, string(f.ID)) {
			out = append(out, string(f.ID))
		}
	}
	return out
}

// firing returns the alerts that the live CR shows. That of a gate which is off fires on a cluster with several workload
// architectures.
func firing(live livecr.CR, predicted []forecast.Prediction) []forecast.Alert {
	if live.Live == nil || len(live.Templates) == 0 {
		return nil
	}
	if !live.IsGateOn() {
		several := func(one forecast.Prediction) bool { return len(one.Forecast.WorkloadArchitectures) > 1 }
		if !slices.ContainsFunc(predicted, several) {
			return nil
		}
		return []forecast.Alert{{Name: forecast.MultiArchDisabled}}
	}
	var out []forecast.Alert
	for _, t := range live.Templates {
		switch {
		case t.Original == "":
			out = append(out, forecast.Alert{Name: forecast.NoArchitectureAnnotation, Template: t.Name()})
		case t.Withheld:
			out = append(out, forecast.Alert{Name: forecast.NoSupportedArchitecture, Template: t.Name()})
		}
	}
	return out
}
