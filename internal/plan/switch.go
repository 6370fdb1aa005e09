package plan

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/transformers"
)

// decideSwitch disables the template if no workload node can use the architectures that it
// means, or if goldenarch creates its objects. It enables the template again if neither is
// the case any more.
func (t *template) decideSwitch(d *decision, means arch.Set) finding.List {
	d.expanded = t.expandable(means)
	if t.replacesTemplate(d.expanded) {
		return t.disableReplaced(d)
	}
	switch {
	case t.unread() && t.byClaim():
		means = t.Cluster.Workload // nothing is known about the image
	case t.unread():
		means = t.proven
	case t.gate && t.IgnoresClaim():
		means = t.allow
	}
	_, marked := t.Annotation(hyperconverged.DisabledAnnotation)
	back := transformers.Leave
	if marked {
		back = transformers.Enable
	}
	if usable := t.usable(means); len(usable) > 0 {
		d.Switch = back
		if marked {
			f := t.finding(finding.TemplateEnabled, finding.Info,
				fmt.Sprintf("goldenarch enables template %q again: workload nodes with %s can use it", t.Name(), usable), "")
			f.Unchanged = finding.Advice{
				Text: fmt.Sprintf("goldenarch disabled template %q, but workload nodes with %s can use it now", t.Name(), usable), Do: "enable it",
			}
			return finding.List{f}
		}
		return nil
	}
	if len(t.usable(t.allow)) > 0 {
		return nil // a person's declaration leaves nothing, and the alert of HCO says so
	}
	return t.unsupported(d, back, fmt.Sprintf("%s; workload nodes have %s", t.leftText(means), t.Cluster.Workload))
}

// unread reports whether nothing reads what the template declares. HCO does so only while the gate
// is on, and makes no images on plain Kubernetes; goldenarch does where it expands templates.
func (t *template) unread() bool {
	return t.Spec.Expand.Mode == v1alpha1.ExpandNone && (!t.gate || t.Spec.Platform == v1alpha1.Kubernetes)
}

// disableReplaced disables a template whose objects goldenarch creates, so that SSP does
// not create them as well.
func (t *template) disableReplaced(d *decision) finding.List {
	d.Switch, d.Because = transformers.Disable, hyperconverged.DisabledByExpansion
	if because, _ := t.Annotation(hyperconverged.DisabledAnnotation); because == hyperconverged.DisabledByExpansion {
		return nil
	}
	return finding.List{templateReplaced(t.Name(), t.path)}
}

// decideUnanswered decides a template whose image is unknown. For an unmodified predefined
// template, HCO uses the built-in declared architectures. If they fit no workload node,
// goldenarch disables the template.
func (t *template) decideUnanswered(d *decision) finding.List {
	builtIn, has, known := t.BuiltInClaim()
	if !t.IgnoresClaim() || t.Registry() == nil || !known || !has {
		return t.notExpanded()
	}
	left := arch.NewSet(arch.Claim(builtIn).HCO(t.Cluster.Workload)...)
	d.expanded = t.expandable(left)
	switch {
	case t.replacesTemplate(d.expanded):
		return t.disableReplaced(d)
	case len(left) > 0:
		if because, _ := t.Annotation(hyperconverged.DisabledAnnotation); because == hyperconverged.DisabledByExpansion {
			d.Switch = transformers.Enable
		}
		return nil
	default:
		return t.unsupported(d, transformers.Leave, fmt.Sprintf("HCO declares %s; workload nodes have %s", builtIn, t.Cluster.Workload))
	}
}

// leftText describes which of the image's architectures remain, and what removes the
// others.
func (t *template) leftText(means arch.Set) string {
	text := t.proves()
	if !means.Equal(t.allow) {
		text += fmt.Sprintf(", of which the template declares %s", cmp.Or(means.String(), "nothing"))
	}
	if builtIn, ok := t.overruled(); ok {
		text += fmt.Sprintf(", and HCO uses its own value %q", builtIn)
	}
	return text
}

// unsupported applies the configured policy to a template that fits no workload node. One that a
// person enables explicitly stays enabled.
func (t *template) unsupported(d *decision, back transformers.Switch, why string) finding.List {
	f := unsupported(t.Spec.Unsupported, t.Name(), why)
	if t.Spec.Unsupported == v1alpha1.UnsupportedDisable && t.enabledByPerson() {
		f = finding.Finding{
			ID: finding.Unsupported, Severity: finding.Warning, Field: t.path,
			Text: fmt.Sprintf("template %q has no image for any workload node and stays enabled, because a person enabled it: %s", t.Name(), why),
			Do:   fmt.Sprintf("use an image for these nodes, or remove the annotation %s", hyperconverged.EnableAnnotation),
			// goldenarch goes on, and the CR is not right.
			Unchanged: finding.Advice{Severity: finding.Error},
		}
		return finding.List{f}
	}
	f.Field = t.path
	d.Switch = back
	if t.Spec.Unsupported == v1alpha1.UnsupportedDisable {
		d.Switch, d.Because = transformers.Disable, hyperconverged.NoSupportedArchitecture
		if because, _ := t.Annotation(hyperconverged.DisabledAnnotation); because == hyperconverged.NoSupportedArchitecture {
			f.Severity, f.Text, f.Unchanged = finding.Info, fmt.Sprintf("template %q stays disabled: %s", t.Name(), why), finding.Advice{}
			f.Do = "use an image for these nodes to have it again"
		}
	}
	return finding.List{f}
}

// enabledByPerson reports whether a person enables the template explicitly.
func (t *template) enabledByPerson() bool {
	value, _ := t.Annotation(hyperconverged.EnableAnnotation)
	return strings.EqualFold(value, "true")
}

func unsupported(policy v1alpha1.Unsupported, name, why string) finding.Finding {
	switch policy {
	case v1alpha1.UnsupportedFail:
		return finding.Finding{
			ID: finding.Unsupported, Severity: finding.Error,
			Text: fmt.Sprintf("template %q has no image for any workload node: %s", name, why),
			Do:   "use an image for these nodes, or set spec.unsupported: Disable",
		}
	case v1alpha1.UnsupportedKeep:
		return finding.Finding{
			ID: finding.Unsupported, Severity: finding.Warning,
			Text: fmt.Sprintf("template %q has no image for any workload node and stays enabled: %s", name, why),
		}
	default:
		return finding.Finding{
			ID: finding.TemplateDisabled, Severity: finding.Warning,
			Text: fmt.Sprintf("goldenarch disabled template %q: %s", name, why),
			Unchanged: finding.Advice{
				Text: fmt.Sprintf("template %q has no image for any workload node: %s", name, why),
				Do:   "use an image for these nodes, or disable the template",
			},
		}
	}
}

// usable returns the workload architectures for which HCO will import the image. With the
// gate on and an unmodified registry source, HCO also applies the built-in declared
// architectures.
func (t *template) usable(means arch.Set) arch.Set {
	usable := means.Intersect(t.Cluster.Workload)
	if builtIn, ok := t.overruled(); ok {
		usable = usable.Intersect(arch.NewSet(builtIn.HCO(usable)...))
	}
	return usable
}

// overruled returns the built-in declared architectures if HCO uses them instead of the
// CR's.
func (t *template) overruled() (arch.Claim, bool) {
	builtIn, has, known := t.BuiltInClaim()
	return arch.Claim(builtIn), t.gate && t.IgnoresClaim() && known && has
}

// checkSource reports built-in declared architectures that HCO uses although the image
// lacks some of them. Either the image has changed since the release, or the source of a
// predefined name is not a registry. HCO does not treat the latter as modified, and applies
// the built-in value to another image (hco golden_images.go: customizeCommonDICT).
func (t *template) checkSource() finding.List {
	builtIn, has, known := t.BuiltInClaim()
	if forced, ok := t.overruled(); ok && t.Registry() != nil {
		image := t.image
		if t.stated != nil {
			image = "its image, as spec.overrides states,"
		}
		if wrong := arch.NewSet(forced.HCO(t.Cluster.Workload)...).Minus(t.proven); len(wrong) > 0 {
			return finding.List{t.finding(finding.PredefinedLacks, finding.Warning,
				fmt.Sprintf("HCO uses its own architectures %q for template %q, but %s has no %s, so the import for %s fails", forced, t.Name(), image, wrong, wrong),
				"change the registry source, for example its pullMethod, so that HCO uses the architectures declared here")}
		}
	}
	if t.Class != hyperconverged.ClassCustomized || t.Registry() != nil || !t.gate || known && !has {
		return nil
	}
	f := t.finding(finding.OtherSource, finding.Warning,
		fmt.Sprintf("template %q has the name of a predefined template and no registry source, so HCO ignores its declared architectures and uses its own", t.Name()),
		"rename the template and disable the predefined one")
	if !known {
		return finding.List{f}
	}
	forced := arch.NewSet(arch.Claim(builtIn).HCO(t.Cluster.Workload)...)
	if wrong := forced.Minus(t.proven); len(wrong) > 0 {
		f.Severity = finding.Error
		f.Text += fmt.Sprintf(" (%s). It imports the image for %s, which the image does not have", builtIn, wrong)
	}
	return finding.List{f}
}
