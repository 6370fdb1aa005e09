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
)

// Expansion is what to emit beside a CR.
type Expansion struct {
	// Templates are those to expand, as HCO would give them to SSP: sorted by
	// name, with the claim that is left for the workload nodes.
	Templates []expansion.Template
	// SSP is how they are expanded. No bundle: nothing but what is emitted makes
	// a DataSource.
	SSP expansion.SSP
}

// expandable returns for which architectures a template is expanded: those of
// its claim that workload nodes have and SSP knows.
func (s Subject) expandable(claim arch.Set) arch.Set {
	if s.Spec.Expand.Mode == v1alpha1.ExpandNone {
		return nil
	}
	return claim.Intersect(s.Cluster.Workload).Intersect(expansion.Known)
}

// replacesTemplate reports whether the CR's template is to be disabled because
// goldenarch makes its objects.
func (s Subject) replacesTemplate(expanded arch.Set) bool {
	return s.Spec.Expand.Mode == v1alpha1.ExpandTakeOver && len(expanded) > 0
}

// expand returns what to emit, out of the architectures that each template was
// decided to be expanded for. Labels, annotations and specs are merged as HCO
// merges them.
func expand(s Subject, architectures map[string]arch.Set, defaults Defaults) *Expansion {
	if s.Spec.Expand.Mode == v1alpha1.ExpandNone {
		return nil
	}
	out := &Expansion{SSP: expansion.SSP{Order: s.Cluster.SSP(), Namespace: GoldenNamespace(s.CR, s.Spec)}}
	merged, err := hyperconverged.Merge(s.withoutGate(), s.Table, s.Cluster.Workload)
	if err != nil {
		return out // hyperconverged.Refused has told
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
			// The next run finds "false" there, which is goldenarch's.
			delete(t.Metadata.Annotations, hyperconverged.EnableAnnotation)
		}
		fillDefaults(defaults, &t.Spec)
		out.Templates = append(out.Templates, t)
	}
	return out
}

// fillDefaults sets what is written into the CR's template as well: the next run finds it
// there, and a DataImportCron cannot be changed.
func fillDefaults(d Defaults, spec *cdiv1.DataImportCronSpec) {
	none, one := cdiv1.DataImportCronRetainNone, int32(1)
	if d.Retention && spec.RetentionPolicy == nil {
		spec.RetentionPolicy = &none
	}
	if d.Retention && spec.ImportsToKeep == nil {
		spec.ImportsToKeep = &one
	}
}

// withoutGate returns the CR as HCO would merge it without claims of its own to
// put in: which claim counts has been decided. Entries that only disable a
// predefined template are left out.
func (s Subject) withoutGate() *hyperconverged.CR {
	cr := *s.CR
	cr.Gate = hyperconverged.Gate{}
	cr.Templates = slices.DeleteFunc(slices.Clone(cr.Templates), func(t hyperconverged.Template) bool { return t.DisabledByUs() && t.Spec == nil })
	return &cr
}

// GoldenNamespace returns where golden images are: a constant of each build of
// SSP, unless the configuration says another.
func GoldenNamespace(cr *hyperconverged.CR, spec *v1alpha1.GoldenImagesSpec) string {
	switch {
	case spec.Expand.Namespace != "":
		return spec.Expand.Namespace
	case HasOpenShiftTemplates(cr, spec):
		return expansion.OpenShiftNamespace
	default:
		return expansion.UpstreamNamespace
	}
}

// checkKnown reports workload architectures that a template is not expanded
// for: SSP knows three, and the labels and names of golden images are its.
func (t *template) checkKnown(means arch.Set) finding.List {
	unknown := means.Intersect(t.Cluster.Workload).Minus(expansion.Known)
	if t.Spec.Expand.Mode == v1alpha1.ExpandNone || len(unknown) == 0 {
		return nil
	}
	return finding.List{t.finding(finding.NotExpanded, finding.Warning,
		fmt.Sprintf("goldenarch does not expand template %q for %s: SSP makes golden images for %s only", t.Name(), unknown, expansion.Known), "")}
}

// notExpanded reports a template that stays in the CR alone, because nobody
// knows for which architectures it could be expanded.
func (t *template) notExpanded() finding.List {
	if t.Spec.Expand.Mode == v1alpha1.ExpandNone {
		return nil
	}
	return finding.List{t.finding(finding.NotExpanded, finding.Warning,
		fmt.Sprintf("goldenarch does not expand template %q, because it does not know which architectures the image has", t.Name()), declare(t.Name()))}
}
