package prediction

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// Places are the paths of the fields of a CR that a prediction is about.
type Places struct {
	// List is the path of the list of templates.
	List string
	// BootNamespace is the path of the field that gives the other templates their namespace; "" if the CR states none.
	BootNamespace string
}

// placesOf returns the paths of a CR.
func placesOf(cr *hyperconverged.CR) Places {
	out := Places{List: cr.Version.Paths().Templates.String()}
	if cr.BootNamespace != "" {
		out.BootNamespace = cr.Version.Paths().BootNamespace.String()
	}
	return out
}

// of returns the path of a template, or that of the list if the CR does not have it, as inCR says.
func (p Places) of(template string, f forecast.Forecast) (path string, inCR bool) {
	i := slices.IndexFunc(f.Templates, func(t forecast.TemplateOutcome) bool { return t.Name == template && t.Index >= 0 })
	if i < 0 {
		return p.List, false
	}
	return fieldpath.Element(p.List, f.Templates[i].Index), true
}

// Findings turns the problems of a prediction into findings, with the paths of the
// templates.
func Findings(paths Places, f forecast.Forecast) finding.List {
	var found finding.List
	if f.SSPRandom != "" {
		found = append(found, finding.Finding{
			ID: finding.CronDuplicate, Severity: finding.Warning, Field: paths.List, Text: f.SSPRandom,
			Do: "rename one of the templates",
		})
	}
	reported := map[string]bool{}
	broken := map[string]bool{} // by the DataSource: GA502 reports the template
	for _, c := range f.Crons {
		if c.Broken {
			broken[c.Namespace+"/"+c.ManagedDataSource] = true
			continue
		}
		id := map[forecast.Outcome]finding.ID{
			forecast.Refused: finding.CronRefused, forecast.Removed: finding.CronLost, forecast.ImportFails: finding.PredefinedLacks,
		}[c.Outcome]
		field, inCR := paths.of(c.Template, f)
		if id == "" || reported[c.Template] || id == finding.PredefinedLacks && inCR { // the run reports a template of the CR
			continue
		}
		reported[c.Template] = true // the other architectures have the same problem
		text := fmt.Sprintf("DataImportCron %q of template %q: %s", c.Name, c.Template, c.Why)
		if c.Outcome == forecast.Refused {
			text += ". SSP then stops, and may create no other golden image"
		}
		do := "correct the template"
		if c.Outcome == forecast.ImportFails {
			do = "add the template to the CR with its own registry source (for example another pullMethod), so that HCO uses the architectures declared there"
		}
		found = append(found, finding.Finding{ID: id, Severity: finding.Warning, Field: field, Text: text, Do: do})
	}
	for _, r := range f.References {
		if r.Filled || r.State == forecast.ByRefusedCron || r.State == forecast.UnknownTarget || broken[r.Namespace+"/"+r.Target] {
			continue
		}
		found = append(found, unfilledReference(paths, f, r))
	}
	return append(found, unknownDefault(paths, f)...)
}

// unknownDefault reports default DataSources whose architecture depends on the control
// plane, which nothing states.
func unknownDefault(paths Places, f forecast.Forecast) finding.List {
	var names []string
	for _, r := range f.References {
		if r.State == forecast.UnknownTarget {
			names = append(names, fmt.Sprintf("%q", r.Name))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return finding.List{{
		ID: finding.DefaultUnknown, Severity: finding.Warning, Field: paths.List,
		Text: fmt.Sprintf("nothing states the architectures of the control plane, so the default architecture of DataSource %s is unknown: "+
			"SSP takes the first architecture of the control plane for which there is an image", finding.FirstOf(names)),
		Do: cluster.StateControlPlane,
	}}
}

// unfilledReference reports a default DataSource that points at something that no cron
// fills.
func unfilledReference(paths Places, f forecast.Forecast, r forecast.Reference) finding.Finding {
	out := finding.Finding{
		ID: finding.ReferenceUnfilled, Severity: finding.Warning, Field: paths.List,
		Text: fmt.Sprintf("DataSource %q points at %q and gets no image: %s", r.Name, r.Target, r.Why),
		Do:   "use the DataSources with the architecture in their names",
	}
	inCR := false
	for _, t := range f.Templates {
		if t.ManagedDataSource == r.Name {
			out.Field, inCR = paths.of(t.Name, f)
		}
	}
	if fallback := f.DefaultOfMachines; fallback != "" && string(fallback) != r.DefaultArchitecture {
		out.Text += fmt.Sprintf(". A machine that uses the plain name cannot start: it waits for the disk, and KubeVirt's default architecture is %s", fallback)
		out.Do = fmt.Sprintf("use the DataSources with the architecture in their names, such as %q",
			expansion.WithArchitecture(r.Name, fallback))
	}
	isElsewhere := func(c forecast.CronOutcome) bool {
		return c.ManagedDataSource == r.Target && c.Namespace != r.Namespace
	}
	if r.State == forecast.CrossNamespace {
		out.ID = finding.TemplateNamespace
	}
	switch elsewhere := r.State == forecast.CrossNamespace || slices.ContainsFunc(f.Crons, isElsewhere); {
	case elsewhere && !inCR && paths.BootNamespace != "":
		out.Field, out.Do = paths.BootNamespace, "remove "+paths.BootNamespace+", or "+out.Do
	case elsewhere:
		out.Do = "remove metadata.namespace of the template"
	}
	return out
}

// Fold merges findings that have the same fix: the warnings of HCO's webhook about
// deprecated fields, and those about an undeclared release. Call it once all
// findings are known.
func Fold(found finding.List) finding.List {
	found = foldFields(found, isIgnored, "HCO ignores them")
	return foldRelease(foldFields(found, statesDefault, "they state their defaults"))
}

// ignoredWords are part of the warning about a field that HCO ignores (hco
// v1beta1_validator.go).
const ignoredWords = " is deprecated and ignored"

// isIgnored reports whether a finding says that HCO ignores a deprecated field.
func isIgnored(f finding.Finding) bool {
	return f.ID == finding.WebhookWarns && f.Severity == finding.Warning && f.Field != "" && strings.Contains(f.Text, ignoredWords)
}

// statesDefault reports whether a finding says that a deprecated field states its default.
func statesDefault(f finding.Finding) bool {
	return f.ID == finding.WebhookWarns && strings.HasSuffix(f.Text, defaultWords)
}

// defaultWords are the end of the text about a deprecated field that states its default.
const defaultWords = ", and the field states its default"

// foldFields merges the findings of a kind about fields of a CR into one for each CR. what says what becomes of the fields.
func foldFields(found finding.List, isOne func(finding.Finding) bool, what string) finding.List {
	of := map[finding.Object]finding.List{}
	for _, f := range found {
		if isOne(f) {
			of[f.Object] = append(of[f.Object], f)
		}
	}
	var out finding.List
	for _, f := range found {
		switch all := of[f.Object]; {
		case !isOne(f) || len(all) == 1:
			out = append(out, f)
		case f.Field == all[0].Field:
			out = append(out, folded(all, what))
		}
	}
	return out
}

// folded returns the finding about several deprecated fields. what says what becomes of them.
func folded(all finding.List, what string) finding.Finding {
	names := make([]string, len(all))
	out := all[0]
	out.Do = "remove them"
	for i, f := range all {
		names[i] = f.Field
		if _, instead, ok := strings.Cut(f.Text, "; use "); ok {
			names[i] += " (use " + strings.TrimSuffix(instead, " instead") + ")"
			out.Do = "move the values to the fields in brackets, and remove these"
		}
	}
	out.Text = fmt.Sprintf("HCO's webhook warns: these %d fields are deprecated, and %s: %s", len(all), what, strings.Join(names, ", "))
	return out
}

// foldRelease removes the warning that no release is declared, if the warning that the
// gate may be a preview already says so. Declaring the release fixes both.
func foldRelease(found finding.List) finding.List {
	isRelease := func(f finding.Finding) bool { return f.ID == finding.ReleaseNeeded && f.Severity == finding.Warning }
	for _, f := range found {
		if f.ID != finding.GateOn || f.Severity != finding.Warning || !strings.HasPrefix(f.Do, "declare the release") {
			continue
		}
		same := func(other finding.Finding) bool { return isRelease(other) && other.Object == f.Object }
		return slices.DeleteFunc(slices.Clone(found), same)
	}
	return found
}

// webhookWarnings returns the warnings of HCO's webhooks as findings: kubectl shows
// these warnings, Argo CD and Flux do not. One about something that works and has no
// other place in the CR is an info: there is nothing to do. That about v1beta1's gate is left
// out: the CRD's default makes the webhook warn about every CR, and goldenarch writes the gate itself. A deprecated field that states its default changes nothing, so it is an info too.
func webhookWarnings(admitted admission.Admission, cr *hyperconverged.CR, data []byte, release v1alpha1.Release) finding.List {
	var found finding.List
	gates := gatesOf(data)
	for _, text := range slices.Concat(admitted.MutatorWarnings, admitted.ValidatorWarnings) {
		text = strings.TrimRight(text, ";. ")
		f := finding.Finding{ID: finding.WebhookWarns, Severity: finding.Warning, Text: "HCO's webhook warns: " + text}
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(text, "the "), "feature gate "), " ")
		if strings.HasPrefix(name, "spec.") {
			f.Field = strings.TrimSuffix(name, ":")
			if strings.HasSuffix(f.Field, hyperconverged.GateName) {
				continue
			}
			gate := strings.TrimPrefix(f.Field, "spec.featureGates.")
			if value, stated := gates[gate]; stated && value == slices.Contains(onByDefault, gate) {
				f.Severity, f.Do = finding.Info, "remove it"
				f.Text = "HCO's webhook warns: " + f.Field + " is deprecated" + defaultWords
			} else if f.Do = reasonToKeep(text, f.Field, release); f.Do != "" {
				f.Severity = finding.Info
			} else {
				f.Do = fixOfField(text)
			}
		} else {
			f.Field, f.Do = listedGate(cr, name, release)
		}
		// Both webhooks warn about a gate that is now a field.
		if slices.ContainsFunc(found, func(reported finding.Finding) bool { return f.Field != "" && reported.Field == f.Field }) {
			continue
		}
		found = append(found, f)
	}
	return found
}

// onByDefault are the deprecated feature gates of v1beta1 whose feature is on where nothing states it (hco
// api/v1beta1/hyperconverged_types.go).
var onByDefault = []string{"enableCommonBootImageImport", "nonRoot"}

// gatesOf returns the feature gates that a v1beta1 CR states, by their names.
func gatesOf(data []byte) map[string]any {
	var cr struct {
		Spec struct {
			FeatureGates map[string]any `json:"featureGates"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(data, &cr); err != nil {
		return nil // v1 has a list; what cannot be read is reported
	}
	return cr.Spec.FeatureGates
}

// reasonToKeep returns why to keep a field that a warning calls deprecated, "" if HCO ignores it.
// HCO converts a feature gate with a place of its own only in v1 to that place, as long as
// v1beta1 is served: removing the gate switches the feature to its default (hco
// api/v1beta1/conversion.go).
func reasonToKeep(text, field string, release v1alpha1.Release) string {
	switch {
	case strings.Contains(text, " in the v1 API instead"):
		return "keep the field while the CR is v1beta1"
	case field == "spec.tuningPolicy" && !hyperconverged.IgnoresHighBurst.In(release):
		return "keep it until HCO 1.19, which ignores it"
	default:
		return ""
	}
}

// fixOfField returns the fix for a warning about a field that HCO ignores (hco
// v1beta1_validator.go).
func fixOfField(text string) string {
	if strings.Contains(text, "; use spec.") {
		return "move the value there, and remove this field"
	}
	return "remove it"
}

// listedGate returns the path of a feature gate in the v1 list, and the fix for a warning about
// it (hco feature-gates.json).
func listedGate(cr *hyperconverged.CR, name string, release v1alpha1.Release) (field, do string) {
	i := -1
	if cr != nil {
		i = slices.IndexFunc(cr.FeatureGates, func(g hyperconverged.FeatureGate) bool { return strings.EqualFold(g.Name, name) })
	}
	if i >= 0 {
		field = cr.Version.Paths().FeatureGates.At(i)
		instead, ok := replacements[strings.ToLower(name)]
		switch {
		case strings.EqualFold(name, hyperconverged.GateName) && !hyperconverged.GateIsField.In(release): // it has its place in the list
			return field, "rename it to " + hyperconverged.GateName
		case ok:
			return field, fmt.Sprintf("set %s: %t, and remove the feature gate", instead.field, cr.FeatureGates[i].Enabled() != instead.opposite)
		}
	}
	if meant := admission.SimilarFeatureGate(name); meant != "" && !strings.EqualFold(meant, name) {
		return field, "rename it to " + meant
	}
	return field, "remove it"
}

// replacements are the fields that replace feature gates of the v1 list (hco api/v1 and
// mutator/fg_to_fields.go). opposite says that the field is off where the gate is on.
var replacements = map[string]struct {
	field    string
	opposite bool
}{
	"disablemdevconfiguration":               {field: "spec.virtualization.mediatedDevicesConfiguration.enabled", opposite: true},
	"persistentreservation":                  {field: "spec.storage.persistentReservationConfiguration.enabled"},
	"enableapplicationawarequota":            {field: "spec.deployment.applicationAwareConfig.enable"},
	"enablecommonbootimageimport":            {field: "spec.workloadSources.enableCommonBootImageImport"},
	"deployvmconsoleproxy":                   {field: "spec.deployment.deployVmConsoleProxy"},
	strings.ToLower(hyperconverged.GateName): {field: hyperconverged.V1.GatePath().String()},
}

// Drift reports the CRs that Argo CD would always show as OutOfSync if it uses
// server-side apply. HCO's mutating webhook completes short templates (hco
// hyperConvergedMutator.go: getDICTPatches), and Argo CD then compares the list of
// templates as a whole. A plugin does not know how Argo CD applies an Application, and
// client-side apply, the default, ignores the additions. So Drift does not return
// warnings. With defaults: Write it returns nothing.
func Drift(list []join.Joined, spec *settings.Settings) finding.List {
	if spec.Defaults == v1alpha1.DefaultsWrite {
		return nil
	}
	var found finding.List
	for _, s := range list {
		var short []string
		for _, t := range s.CR.Templates {
			if isShort(t, spec.Release) {
				short = append(short, t.Name())
			}
		}
		if len(short) == 0 {
			continue
		}
		found = append(found, s.Locate(finding.List{{
			ID: finding.Drift, Severity: finding.Info, Field: s.CR.Version.Paths().Templates.String(),
			Text: fmt.Sprintf("HCO's webhook adds defaults to %s: with ServerSideApply=true, Argo CD always shows the CR as OutOfSync", templatesText(short)),
			Do:   "set spec.defaults: Write and spec.release",
		}})...)
	}
	return found
}

// isShort reports whether the webhook adds something to a template. If no release is
// declared, it assumes the newest one.
func isShort(t hyperconverged.Template, release v1alpha1.Release) bool {
	if _, binds := t.Annotation(hyperconverged.BindAnnotation); !binds {
		return true
	}
	return hyperconverged.SetsRetention.In(release) && t.Spec != nil && (t.Spec.RetentionPolicy == nil || t.Spec.ImportsToKeep == nil)
}

// templatesText returns the name of one template, or the number of several.
func templatesText(names []string) string {
	if len(names) == 1 {
		return fmt.Sprintf("template %q", names[0])
	}
	const shown = 3
	if len(names) <= shown {
		return fmt.Sprintf("the templates %s", strings.Join(names, ", "))
	}
	return fmt.Sprintf("%d templates (%s, …)", len(names), strings.Join(names[:shown], ", "))
}
