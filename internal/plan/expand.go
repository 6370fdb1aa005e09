package plan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/transformers"
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
func (s Known) expandable(claim arch.Set) arch.Set {
	if s.Spec.Expand.Mode == v1alpha1.ExpandNone {
		return nil
	}
	return claim.Intersect(s.Cluster.Workload).Intersect(cluster.KnownToSSP)
}

// replacesTemplate reports whether goldenarch disables the template in the CR because it
// creates the template's objects.
func (s Known) replacesTemplate(expanded arch.Set) bool {
	return s.Spec.Expand.Mode == v1alpha1.ExpandTakeOver && len(expanded) > 0
}

// expand returns what to emit, given the architectures to expand each template for. It
// merges labels, annotations and specs as HCO merges them.
func expand(s Known, architectures map[string]arch.Set, defaults transformers.Defaults) *Expansion {
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
		if defaults.Retention { // the next run finds them in the CR, and a DataImportCron cannot change
			t.Spec = *hyperconverged.Completed(&t.Spec, s.Spec.Release)
		}
		out.Templates = append(out.Templates, t)
	}
	return out
}

// withoutGate returns the CR for a merge in which HCO does not replace declared
// architectures with its own: goldenarch has already decided which ones count. It omits
// entries that only disable a predefined template.
func (s Known) withoutGate() *hyperconverged.CR {
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

// checkExpansion reports problems with the objects to emit.
func checkExpansion(s Known, e *Expansion) finding.List {
	if e == nil {
		return nil
	}
	found := s.checkMode(e)
	found = append(found, s.checkReferences(e)...)
	found = append(found, s.checkDefaults(e)...)
	for _, t := range e.Templates {
		found = append(found, s.checkTemplate(e, t)...)
	}
	return found
}

// checkReferences reports a reference that has the name of a DataSource which a cron fills.
// Only one of the two can exist: SSP would delete the cron (ssp reconcile.go, lines 252 to
// 256).
func (s Known) checkReferences(e *Expansion) finding.List {
	var found finding.List
	crons := map[string]*expansion.Cron{}
	for _, c := range e.SSP.MultiArch(e.Templates) {
		crons[c.Namespace+"/"+c.Spec.ManagedDataSource] = c
	}
	for _, t := range e.Templates {
		namespace := cmp.Or(t.Metadata.Namespace, e.SSP.Namespace)
		c, taken := crons[namespace+"/"+t.Spec.ManagedDataSource]
		if !taken {
			continue
		}
		found = append(found, finding.Finding{
			ID: finding.CronLost, Severity: finding.Error, Field: s.pathOf(t.Metadata.Name) + ".spec.managedDataSource", Current: t.Spec.ManagedDataSource,
			Text: fmt.Sprintf("the default DataSource of template %q has the name %q, but DataImportCron %q fills the DataSource of that name",
				t.Metadata.Name, t.Spec.ManagedDataSource, c.Name),
			Do: "give the template a managedDataSource of another name",
		})
	}
	return found
}

// checkDefaults reports default DataSources that goldenarch would emit without knowing where
// they point.
func (s Known) checkDefaults(e *Expansion) finding.List {
	if s.Spec.Expand.DataSources == v1alpha1.DataSourcesNone {
		return nil
	}
	unknown := e.SSP.UnknownDefaults(e.Templates)
	var found finding.List
	for _, t := range e.Templates {
		name := t.Spec.ManagedDataSource
		possible, ok := unknown[name]
		if !ok {
			continue
		}
		delete(unknown, name) // once for the templates of one DataSource
		found = append(found, finding.Finding{
			ID: finding.EmittedUnknown, Severity: finding.Error, Field: s.pathOf(t.Metadata.Name), Current: name,
			Text: fmt.Sprintf("nothing states the architectures of the control plane, so goldenarch does not know to which of %s the default DataSource %q must point",
				possible, name),
			Do: cluster.StateControlPlane,
		})
	}
	return found
}

// checkTemplate reports a template whose crons CDI refuses or cannot import. All crons of a
// template have the same problems, or the template already had them, so the first cron
// reports them.
func (s Known) checkTemplate(e *Expansion, t expansion.Template) finding.List {
	path := s.pathOf(t.Metadata.Name)
	for _, a := range e.SSP.Architectures(t.Declared()) {
		c := expansion.For(t, a, e.SSP.Namespace)
		if refused := cdi.Refused(c.Name, c.Spec); refused != "" {
			return finding.List{{
				ID: finding.CronRefused, Severity: finding.Error, Field: path,
				Text: fmt.Sprintf("CDI refuses DataImportCron %q of template %q: %s", c.Name, t.Metadata.Name, refused),
				Do:   "correct the template",
			}}
		}
	}
	if e.replacesBundle(s, t) {
		return finding.List{{
			ID: finding.BundleReplaced, Severity: finding.Error, Field: path + ".spec.managedDataSource", Current: t.Spec.ManagedDataSource,
			Text: fmt.Sprintf("SSP manages DataSource %q of template %q for its common templates, so it overwrites what goldenarch emits",
				t.Spec.ManagedDataSource, t.Metadata.Name),
			Do: "rename the managedDataSource; for a predefined template, disable it and add one with another name",
		}}
	}
	return nil
}

// replacesBundle reports whether SSP keeps managing a DataSource that goldenarch is about
// to replace.
func (e *Expansion) replacesBundle(s Known, t expansion.Template) bool {
	if s.Spec.Expand.Mode != v1alpha1.ExpandTakeOver || s.Spec.Platform == v1alpha1.Kubernetes {
		return false
	}
	bundle := expansion.SSP{Order: e.SSP.Order, Bundle: expansion.Shipped()}
	_, ofBundle := bundle.BundleDefault(t.Spec.ManagedDataSource)
	return ofBundle && (t.Metadata.Namespace == "" || t.Metadata.Namespace == e.SSP.Namespace)
}

// checkMode reports a mode that does not fit the cluster.
func (s Known) checkMode(e *Expansion) finding.List {
	if len(e.Templates) == 0 {
		return nil
	}
	var found finding.List
	why := ""
	switch {
	case s.Spec.Expand.Mode != v1alpha1.ExpandEmit:
	case s.CR.Namespace == hyperconverged.DownstreamNamespace:
		why = fmt.Sprintf("the CR is in namespace %q of OpenShift Virtualization", s.CR.Namespace)
	case s.Spec.Platform == v1alpha1.OpenShift:
		why = "spec.platform is openshift"
	}
	if why != "" {
		found = append(found, finding.Finding{
			ID: finding.EmitBesideSSP, Severity: finding.Warning,
			Text: fmt.Sprintf("spec.expand.mode is Emit, but %s, so the cluster runs SSP: "+
				"SSP and goldenarch would both write the same DataImportCrons and DataSources", why),
			Do: "set spec.expand.mode: TakeOver, or spec.platform: kubernetes if the cluster does not run SSP",
		})
	}
	if s.Spec.Expand.ReplaceOnChange {
		found = append(found, finding.Finding{
			ID: finding.ReplacedAtEverySync, Severity: finding.Warning,
			Text: "spec.expand.replaceOnChange is true: Argo CD deletes and recreates every DataImportCron twice in each sync, " +
				"and in dry runs too (argo-cd#24005, gitops-engine#623). With retentionPolicy None, CDI deletes the images as well",
			Do: "set it only for the commit that changes a DataImportCron",
		})
	}
	return found
}

// pathOf returns the path of a template in the CR, or the path of the list if the template
// is only in HCO's table.
func (s Known) pathOf(name string) string {
	if t, ok := s.CR.Template(name); ok {
		return s.CR.TemplatePath(t.Index)
	}
	return s.CR.Version.Paths().Templates.String()
}

// templateReplaced reports a template that this run disables because goldenarch now creates
// its objects.
func templateReplaced(name, field string) finding.Finding {
	return finding.Finding{
		ID: finding.TemplateReplaced, Severity: finding.Warning, Field: field,
		Text: fmt.Sprintf("goldenarch disables template %q, because it emits the DataImportCrons of the template itself. "+
			"SSP then deletes its own DataImportCrons of the same names, even after the new ones exist",
			name),
		Do: "sync the CR first, and then the emitted objects",
		Unchanged: finding.Advice{
			Text: fmt.Sprintf("template %q is not disabled, and goldenarch emits its DataImportCrons: "+
				"SSP would create objects of the same names", name),
			Do: "apply the output of 'goldenarch render': sync the CR first, and then the emitted objects",
		},
	}
}
