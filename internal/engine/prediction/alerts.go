package prediction

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// Watched is a CR for which a forecast predicts alerts of HCO.
type Watched struct {
	Joined   join.Joined
	Forecast forecast.Forecast
	// Images are those that are known, by the names of their templates.
	Images map[string]forecast.Image
	// Rendered are the alerts that fire with what goldenarch renders, and Fix says how to write that, with the command Run; "" if
	// nothing else than the forecast's is rendered.
	Rendered []forecast.Alert
	Fix, Run string
	// Dump says that the CR is the one of a cluster, which fix does not write.
	Dump bool
}

// Alerts returns a finding for each alert of HCO that fires: an error, or an info where a person
// accepts the alert. The forecast knows what fires, and this is the only place that judges it.
func (w Watched) Alerts() finding.List {
	var found finding.List
	for _, name := range []string{forecast.MultiArchDisabled, forecast.NoSupportedArchitecture, forecast.NoArchitectureAnnotation} {
		var templates, accepted []string
		for _, a := range w.Forecast.Alerts {
			switch {
			case a.Name != name:
			case w.accepted(a) != "":
				accepted = append(accepted, a.Template)
			default:
				templates = append(templates, a.Template)
			}
		}
		if len(templates) > 0 {
			f := w.about(name, templates)
			if state := plan.Preview(w.Joined.Known); name == forecast.MultiArchDisabled && state != "" {
				f.Text += ". " + state
			}
			do := w.fix(name, templates)
			if do == w.Fix {
				f.Run = w.Run
			}
			f.Do = do + "; " + accepting[name]
			found = append(found, f)
		}
		if len(accepted) > 0 {
			f := w.about(name, accepted)
			f.Severity, f.Text = finding.Info, fmt.Sprintf("%s. %s accepts that", f.Text, w.accepted(forecast.Alert{Name: name, Template: accepted[0]}))
			found = append(found, f)
		}
	}
	return found
}

// accepted returns the setting by which a person accepts an alert; "" if nobody does. An exception
// for the finding accepts it too.
func (w Watched) accepted(a forecast.Alert) string {
	spec := w.Joined.Spec
	_, known := w.Images[a.Template]
	switch {
	case a.Name == forecast.MultiArchDisabled && (spec.Gate == v1alpha1.GateKeep || spec.Gate == v1alpha1.GateDisable):
		return "spec.gate: " + string(spec.Gate)
	case a.Name == forecast.NoSupportedArchitecture && spec.Unsupported == v1alpha1.UnsupportedKeep:
		return "spec.unsupported: Keep"
	case a.Name == forecast.NoArchitectureAnnotation && spec.Unresolved == v1alpha1.UnresolvedKeep && !known:
		return "spec.unresolved: Keep"
	default:
		return ""
	}
}

// accepting says how a person accepts each alert.
var accepting = map[string]string{
	forecast.MultiArchDisabled:        "spec.gate: Keep (--set gate=Keep) accepts that it is off",
	forecast.NoSupportedArchitecture:  "spec.unsupported: Keep (--set unsupported=Keep) accepts the alert",
	forecast.NoArchitectureAnnotation: fmt.Sprintf("an exception for %s (spec.findings) accepts the alert", finding.AlertFires),
}

// Advice is the fix for each alert by hand, as the runbooks have it (kubevirt/monitoring
// docs/runbooks).
var Advice = map[string]string{
	forecast.MultiArchDisabled: "turn the multi-arch gate on, or place machines on nodes of one architecture",
	forecast.NoSupportedArchitecture: "declare what the image has; if no workload node can run that, use another image, or disable the template with " +
		hyperconverged.EnableAnnotation + `: "false"`,
	forecast.NoArchitectureAnnotation: "set the annotation " + hyperconverged.ClaimAnnotation + " to the architectures of the image",
}

// canDeclare reports whether workload nodes can run the images of templates, so that only what these declare is wrong.
func (w Watched) canDeclare(templates []string) bool {
	nodes := arch.Named(w.Forecast.WorkloadArchitectures...)
	return !slices.ContainsFunc(templates, func(name string) bool { return len(w.Images[name].Architectures.Intersect(nodes)) == 0 })
}

// fix returns what to do about an alert for templates.
func (w Watched) fix(alert string, templates []string) string {
	still := slices.ContainsFunc(w.Rendered, func(a forecast.Alert) bool { return a.Name == alert })
	do := Advice[alert]
	if alert == forecast.NoSupportedArchitecture && w.canDeclare(templates) {
		do = Advice[forecast.NoArchitectureAnnotation]
	}
	switch {
	case w.Fix != "" && !still:
		return w.Fix
	case w.Dump:
		return do + ": in Git where the CR comes from, or on the cluster with oc edit"
	case alert == forecast.MultiArchDisabled && w.Joined.CR.Gate.ExplicitlyOff():
		return "to turn it on, set spec.gate: Enable (--set gate=Enable) and run goldenarch fix"
	default:
		return do
	}
}

// about returns the finding about an alert for templates.
func (w Watched) about(alert string, templates []string) finding.Finding {
	if alert == forecast.MultiArchDisabled {
		return w.aboutGate()
	}
	cr := w.Joined.CR
	out := finding.Finding{ID: finding.AlertFires, Severity: finding.Error, Field: cr.Version.Paths().Templates.String()}
	if len(templates) == 1 {
		out.Template = templates[0]
		if entry, ok := cr.Template(templates[0]); ok {
			out.Field = cr.TemplatePath(entry.Index)
		}
	}
	names := namesOf(templates, nil)
	it, has, declare := "it", "has", "declares"
	if len(templates) > 1 {
		it, has, declare = "them", "have", "declare"
	}
	switch alert {
	case forecast.NoSupportedArchitecture:
		out.Text = fmt.Sprintf("no workload node (%s) has one of the architectures that %s %s: HCO does not deploy %s, and its alert %s fires",
			strings.Join(w.Forecast.WorkloadArchitectures, ","), namesOf(templates, w.declared()), declare, it, alert)
	case forecast.NoArchitectureAnnotation:
		out.Text = fmt.Sprintf("%s %s no value of the annotation %s, and the multi-arch gate is on: the cluster gets %s for at most one architecture, "+
			"and HCO's alert %s fires", names, has, hyperconverged.ClaimAnnotation, it, alert)
	}
	return out
}

// aboutGate returns the finding about a gate that is off.
func (w Watched) aboutGate() finding.Finding {
	s := w.Joined.Known
	out := finding.Finding{ID: finding.GateAlert, Severity: finding.Error, Field: plan.GateField(s), Proposed: true}
	does := "does not turn on"
	if s.CR.Gate.ExplicitlyOff() {
		does, out.Current = "turns off", false
	}
	when := "HCO then"
	if s.LiveGateOn && !s.CR.Gate.ExplicitlyOff() {
		when = "The live CR has it on, and an apply leaves it on. On a new cluster HCO"
	}
	out.Text = fmt.Sprintf("the CR %s the multi-arch gate %s, but workload nodes have %s. %s imports each golden image for one architecture only, "+
		"and its alert %s fires", does, hyperconverged.GateName, strings.Join(w.Forecast.WorkloadArchitectures, ","), when, forecast.MultiArchDisabled)
	return out
}

// declared returns what templates declare, by name.
func (w Watched) declared() map[string]string {
	out := map[string]string{}
	for _, s := range w.Forecast.Status {
		out[s.Name] = s.OriginalSupportedArchitectures
	}
	return out
}

// namesOf names templates, each with what it declares if that is known.
func namesOf(templates []string, declared map[string]string) string {
	names := make([]string, len(templates))
	for i, name := range templates {
		names[i] = fmt.Sprintf("%q", name)
		if value, ok := declared[name]; ok {
			names[i] += fmt.Sprintf(" (%q)", value)
		}
	}
	if len(names) == 1 {
		return "template " + names[0]
	}
	return fmt.Sprintf("%d templates (%s)", len(names), strings.Join(names, ", "))
}
