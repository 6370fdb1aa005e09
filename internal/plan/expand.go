package plan

import (
	"fmt"
	"slices"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// Expansion is what goldenarch emits beside a CR.
type Expansion struct {
	// Templates are the templates to expand, as HCO would pass them to SSP: sorted by name,
	// with the declared architectures that remain for the workload nodes.
	Templates []expansion.Template
	// SSP says how to expand them. It has no bundle, so only the emitted objects create a
	// DataSource.
	SSP expansion.SSP
}

// expandable returns the architectures to expand a template for: the declared ones that
// workload nodes have and SSP knows.
func (s Subject) expandable(claim arch.Set) arch.Set {
	if s.Spec.Expand.Mode == v1alpha1.ExpandNone {
		return nil
	}
	return claim.Intersect(s.Cluster.Workload).Intersect(expansion.Known)
}

// replacesTemplate reports whether goldenarch disables the template in the CR because it
// creates the template's objects.
func (s Subject) replacesTemplate(expanded arch.Set) bool {
	return s.Spec.Expand.Mode == v1alpha1.ExpandTakeOver && len(expanded) > 0
}

// expand returns what to emit, given the architectures to expand each template for. It
// merges labels, annotations and specs as HCO merges them.
func expand(s Subject, architectures map[string]arch.Set, defaults Defaults) *Expansion {
	if s.Spec.Expand.Mode == v1alpha1.ExpandNone {
		return nil
	}
	out := &Expansion{SSP: expansion.SSP{
		Order: s.Cluster.SSP(), ControlPlaneUnknown: s.Cluster.ControlPlaneUnknown, Namespace: GoldenNamespace(s.CR, s.Spec),
	}}
	merged, err := hyperconverged.Merge(s.withoutGate(), s.Table, s.Cluster.Workload)
	if err != nil {
		return out // hyperconverged.Refused has reported it
	}
	for _, m := range merged {
		expanded := architectures[m.Name()]
		if len(expanded) == 0 || m.Spec == nil {
			continue
		}
		t := expansion.Template{Metadata: *m.Metadata, Spec: *m.Spec}
		if t.Metadata.Annotations == nil {
			t.Metadata.Annotations = map[string]string{}
		}
		t.Metadata.Annotations[hyperconverged.ClaimAnnotation] = expanded.String()
		if s.Spec.Expand.Mode == v1alpha1.ExpandTakeOver {
			// The next run finds goldenarch's own "false" there.
			delete(t.Metadata.Annotations, hyperconverged.EnableAnnotation)
		}
		fillDefaults(defaults, &t.Spec)
		out.Templates = append(out.Templates, t)
	}
	return out
}

// fillDefaults sets the defaults that goldenarch also writes into the CR's template. The
// next run finds them there, and a DataImportCron cannot change.
func fillDefaults(d Defaults, spec *cdiv1.DataImportCronSpec) {
	none, one := cdiv1.DataImportCronRetainNone, int32(1)
	if d.Retention && spec.RetentionPolicy == nil {
		spec.RetentionPolicy = &none
	}
	if d.Retention && spec.ImportsToKeep == nil {
		spec.ImportsToKeep = &one
	}
}

// withoutGate returns the CR for a merge in which HCO does not replace declared
// architectures with its own: goldenarch has already decided which ones count. It omits
// entries that only disable a predefined template.
func (s Subject) withoutGate() *hyperconverged.CR {
	cr := *s.CR
	cr.Gate = hyperconverged.Gate{}
	cr.Templates = slices.DeleteFunc(slices.Clone(cr.Templates), func(t hyperconverged.Template) bool { return t.DisabledByUs() && t.Spec == nil })
	return &cr
}

// GoldenNamespace returns the namespace of golden images: a constant of each build of SSP,
// unless the configuration names another.
func GoldenNamespace(cr *hyperconverged.CR, spec *settings.Settings) string {
	switch {
	case spec.Expand.Namespace != "":
		return spec.Expand.Namespace
	case HasOpenShiftTemplates(cr, spec):
		return expansion.OpenShiftNamespace
	default:
		return expansion.UpstreamNamespace
	}
}

// checkKnown reports workload architectures for which goldenarch does not expand a
// template. SSP knows three architectures, and it defines the labels and names of golden
// images.
func (t *template) checkKnown(means arch.Set) finding.List {
	unknown := means.Intersect(t.Cluster.Workload).Minus(expansion.Known)
	if t.Spec.Expand.Mode == v1alpha1.ExpandNone || len(unknown) == 0 {
		return nil
	}
	return finding.List{t.finding(finding.NotExpanded, finding.Warning,
		fmt.Sprintf("goldenarch does not expand template %q for %s: SSP makes golden images for %s only", t.Name(), unknown, expansion.Known), "")}
}

// notExpanded reports a template that stays only in the CR, because the architectures to
// expand it for are unknown.
func (t *template) notExpanded() finding.List {
	if t.Spec.Expand.Mode == v1alpha1.ExpandNone {
		return nil
	}
	return finding.List{t.finding(finding.NotExpanded, finding.Warning,
		fmt.Sprintf("goldenarch does not expand template %q, because it does not know which architectures the image has", t.Name()), declare(t.Name()))}
}
