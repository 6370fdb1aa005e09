package prediction

import (
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// webhookWarnings returns the warnings of HCO's webhooks as findings: kubectl shows
// these warnings, Argo CD and Flux do not. The deprecation of v1beta1's gate is an
// info, and only if the CR states the gate: v1beta1 has no other field for it, and the
// CRD's default makes the webhook warn about every CR.
func webhookWarnings(said admission.Admission, cr *hyperconverged.CR) finding.List {
	var found finding.List
	for _, text := range slices.Concat(said.MutatorWarnings, said.ValidatorWarnings) {
		text = strings.TrimRight(text, ";. ")
		f := finding.Finding{ID: finding.WebhookWarns, Severity: finding.Warning, Text: "HCO's webhook warns: " + text}
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(text, "the "), "feature gate "), " ")
		if field, ok := strings.CutPrefix(name, "spec."); ok {
			f.Field, f.Do = strings.TrimSuffix(name, ":"), fixOfField(text)
			if strings.HasSuffix(field, hyperconverged.GateName) {
				if !StatesGate(cr) {
					continue
				}
				f.Severity = finding.Info
			}
		} else {
			f.Field, f.Do = listedGate(cr, name), fixOfListed(name)
		}
		// Both webhooks warn about a gate that is now a field.
		if slices.ContainsFunc(found, func(reported finding.Finding) bool { return f.Field != "" && reported.Field == f.Field }) {
			continue
		}
		found = append(found, f)
	}
	return found
}

// StatesGate reports whether a CR states the multi-arch gate, on or off.
func StatesGate(cr *hyperconverged.CR) bool {
	return cr != nil && (cr.Gate.ExplicitlyOn() || cr.Gate.ExplicitlyOff())
}

// fixOfField returns the fix for a warning about a field (hco v1beta1_validator.go).
func fixOfField(text string) string {
	switch {
	case strings.Contains(text, hyperconverged.GateName):
		return "keep the field while the CR is v1beta1"
	case strings.Contains(text, "; use spec."):
		return "move the value there, and remove this field"
	default:
		return "remove it"
	}
}

// listedGate returns the path of a feature gate in the v1 list.
func listedGate(cr *hyperconverged.CR, name string) string {
	if cr == nil {
		return ""
	}
	i := slices.IndexFunc(cr.FeatureGates, func(g hyperconverged.FeatureGate) bool { return strings.EqualFold(g.Name, name) })
	if i < 0 {
		return ""
	}
	return cr.Version.Paths().FeatureGates.At(i)
}

// replacements are the fields that replace feature gates of the v1 list (hco api/v1:
// 1.19).
var replacements = map[string]string{
	"disablemdevconfiguration":               "spec.virtualization.mediatedDevicesConfiguration.enabled",
	"persistentreservation":                  "spec.storage.persistentReservationConfiguration.enabled",
	strings.ToLower(hyperconverged.GateName): "spec.workloadSources." + hyperconverged.GateName,
}

// fixOfListed returns the fix for a warning about a feature gate in the v1 list (hco
// feature-gates.json).
func fixOfListed(name string) string {
	if field, ok := replacements[strings.ToLower(name)]; ok {
		return "set " + field + ", and remove the feature gate"
	}
	if meant := admission.NearFeatureGate(name); meant != "" {
		return "rename it to " + meant
	}
	return "remove it"
}
