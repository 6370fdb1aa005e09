package hyperconverged

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Merged is a template as HCO keeps it in status.dataImportCronTemplates. It shares
// pointers in its spec with the CR and the table, so nothing may change what they point at.
type Merged struct {
	Template
	Common   bool
	Modified bool
	// Original has the declared architectures before HCO filtered them. It is "" if HCO did
	// not filter, or if there were none.
	Original string
	// Withheld says that no architecture remains, so HCO does not deploy the
	// template to SSP (condition Deployed=False, reason UnsupportedArchitectures).
	Withheld bool
}

// ErrPanic is the error for a CR on which HCO panics.
var ErrPanic = errors.New("HCO panics (nil pointer): an enabled template with the name of a predefined one has no source")

// Merge returns the templates that HCO makes from the CR and the table, sorted by name (hco
// golden_images.go: GetDataImportCronTemplates, lines 51 to 72).
//
// The errors are HCO's own: a duplicate name, and [ErrPanic].
func Merge(cr *CR, table Table, workload arch.Set) ([]Merged, error) {
	if name, twice := duplicateName(cr.Templates); twice {
		return nil, fmt.Errorf("%s DataImportCronTable is already defined", name)
	}
	var out []Merged
	for _, c := range Classify(cr, table) {
		switch c.Class {
		case ClassDisabled, ClassDropped:
			continue
		case ClassPredefined:
			m := Merged{Template: c.Template.withMetadata(), Common: true}
			m.Metadata.Namespace = cr.BootNamespace
			out = append(out, m)
		case ClassCustomized:
			if c.Source() == nil {
				return nil, ErrPanic
			}
			out = append(out, Merged{Template: customise(c, cr.Gate.On()), Common: true, Modified: true})
		case ClassCustom:
			out = append(out, Merged{Template: c.Template.withMetadata()})
		}
	}
	if cr.Gate.On() {
		for i := range out {
			out[i].filter(workload)
		}
	}
	slices.SortStableFunc(out, func(a, b Merged) int { return compareNames(a.Template, b.Template) })
	return out, nil
}

// customise merges the CR's template with the predefined one. The whole spec is the CR's,
// except for an empty schedule. The labels are the predefined template's. The CR's
// annotations win, except for the declared architectures if the gate is on (hco
// golden_images.go: customizeCommonDICT, customizeCommonDictAnnotations).
func customise(c Classified, gate bool) Template {
	out := c.Base.withMetadata()
	out.Index = c.Index
	out.Metadata.Namespace = c.Metadata.Namespace
	spec := *c.Spec
	if spec.Schedule == "" {
		spec.Schedule = out.Spec.Schedule
	}
	out.Spec = &spec
	if out.Metadata.Annotations == nil { // a user need not state any of a predefined template
		out.Metadata.Annotations = map[string]string{}
	}
	maps.Copy(out.Metadata.Annotations, c.Metadata.Annotations)
	if !gate {
		return out
	}
	keeper := c.Base.Template
	if c.RegistryModified {
		keeper = c.Template
	}
	if claim, ok := keeper.Annotation(ClaimAnnotation); ok {
		out.Metadata.Annotations[ClaimAnnotation] = claim
	} else {
		delete(out.Metadata.Annotations, ClaimAnnotation)
	}
	return out
}

// filter keeps the declared architectures that the workload nodes have (hco
// golden_images.go: setDataImportCronTemplateStatusMultiArch).
func (m *Merged) filter(workload arch.Set) {
	claim, ok := m.Declared()
	if !ok {
		return
	}
	m.Original = string(claim)
	kept := arch.Set(claim.HCO(workload)).String()
	m.Metadata.Annotations[ClaimAnnotation] = kept
	m.Withheld = kept == ""
}

// duplicateName returns a name that two templates of the CR have, including disabled ones
// (hco golden_images.go: the map of the CR's templates).
func duplicateName(templates []Template) (string, bool) {
	seen := map[string]bool{}
	for _, t := range templates {
		if seen[t.Name()] {
			return t.Name(), true
		}
		seen[t.Name()] = true
	}
	return "", false
}

// Observed returns the built-in table of a release, as the live CR shows it. It takes each
// template from the status if the status entry is HCO's own, and otherwise from t. If the
// status would list a template and does not, that template is not built in.
func (t Table) Observed(live *Live, release v1alpha1.Release) Table {
	t = t.At(release)
	if live == nil || len(live.Templates) == 0 {
		return t // HCO has written no status
	}
	var templates []Predefined
	seen := map[string]bool{}
	for _, m := range live.Templates {
		if !m.Common {
			continue
		}
		seen[m.Name()] = true
		if base, known := t.Find(m.Name()); m.Modified && known {
			templates = append(templates, base.behind(m, live))
			continue
		}
		templates = append(templates, observed(m, live, release))
	}
	for _, p := range t.Templates {
		_, stated := live.CR.Template(p.Name())
		hidden := stated || !live.CR.CommonImport // in these cases HCO does not list it
		if hidden && !seen[p.Name()] && !custom(live, p.Name()) {
			templates = append(templates, p)
		}
	}
	out := newTable(t.Name, templates...)
	out.settled = true
	return out
}

// custom reports whether the status lists a template as the CR's own.
func custom(live *Live, name string) bool {
	return slices.ContainsFunc(live.Templates, func(m Merged) bool { return m.Name() == name && !m.Common })
}

// observed returns an entry of the status as a predefined template. It removes the
// namespace, which HCO sets for each CR.
func observed(m Merged, live *Live, release v1alpha1.Release) Predefined {
	p := Predefined{Template: m.Template.clone(), From: LiveCR, whole: true}
	p.Metadata.Namespace = ""
	p.Spec = Completed(p.Spec, release)
	claim, _ := m.declared()
	if !m.Modified {
		return p.declaring(claim)
	}
	// The table does not have the template, so goldenarch does not know what the CR changes, unless
	// HCO used the built-in architectures: then the registry source is the built-in one.
	delete(p.Metadata.Annotations, EnableAnnotation)
	builtIn, ok := m.ofBuiltIn(live)
	p = p.declaring(claim)
	p.registryUnknown = !ok || m.Original == ""
	if ok {
		p = p.declaring(builtIn)
		p.claimFrom = LiveCR
	}
	if p.registryUnknown {
		p.From, p.ClaimKnown = Documentation, ok
	}
	return p
}

// behind returns the predefined template below an entry that the CR customizes. It adds
// what the status shows: the labels, which HCO keeps, and usually the declared
// architectures.
func (p Predefined) behind(m Merged, live *Live) Predefined {
	p.Template = p.Template.clone()
	p.Metadata.Labels = maps.Clone(m.Metadata.Labels)
	if claim, ok := m.ofBuiltIn(live); ok {
		p = p.declaring(claim)
		p.claimFrom = LiveCR
		if m.Original != "" && m.Registry() != nil {
			// HCO used the built-in template, so this is its registry source.
			p.Spec = p.Spec.DeepCopy()
			p.Spec.Template.Spec.Source = m.Source().DeepCopy()
		}
	}
	return p
}

// ofBuiltIn returns the declared architectures of a customized entry if they can only be
// the built-in ones. That is the case if the CR declares none, or different ones (hco
// golden_images.go: customizeCommonDictAnnotations).
func (m Merged) ofBuiltIn(live *Live) (string, bool) {
	claim, has := m.declared()
	stated, there := live.CR.Template(m.Name())
	if !has || !there {
		return "", false
	}
	own, declares := stated.Annotation(ClaimAnnotation)
	return claim, !declares || own != claim
}

// Live is the cluster's own HyperConverged, as the API server returned it.
type Live struct {
	// CR is the spec of the live CR.
	CR *CR
	// Release is the version of the running HCO; "" if the status lacks it.
	Release string
	// Schedule is the schedule that HCO picked for its predefined templates.
	Schedule string
	// Templates are those of status.dataImportCronTemplates.
	Templates []Merged
}

// liveStatus is the status of the live CR, which has the same type in both versions (hco
// api/v1/hyperconverged_types.go: HyperConvergedStatus).
type liveStatus struct {
	Status struct {
		Schedule string `json:"dataImportSchedule"`
		Versions []struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"versions"`
		Templates []struct {
			Metadata *TemplateMetadata         `json:"metadata"`
			Spec     *cdiv1.DataImportCronSpec `json:"spec"`
			Status   struct {
				Common     bool   `json:"commonTemplate"`
				Modified   bool   `json:"modified"`
				Original   string `json:"originalSupportedArchitectures"`
				Conditions []struct {
					Type   string `json:"type"`
					Status string `json:"status"`
				} `json:"conditions"`
			} `json:"status"`
		} `json:"dataImportCronTemplates"`
	} `json:"status"`
}

// operatorVersion is the name under which HCO reports its own version (hco
// controllers/hyperconverged: hcoVersionName).
const operatorVersion = "operator"

// ParseLive reads the live CR from its JSON. It returns nil and error findings if it cannot
// read the spec or the status, and else warnings about what it reads in another way than the CRD.
func ParseLive(data []byte) (*Live, finding.List) {
	var read liveStatus
	if err := decode(data, &read); err != nil {
		return nil, violated("", data, &read, err)
	}
	cr, found := Parse(data)
	if cr == nil {
		return nil, found
	}
	if list := withoutSpec(read, cr.Namespace); list != nil {
		return nil, list
	}
	out := &Live{CR: cr, Schedule: read.Status.Schedule}
	for _, v := range read.Status.Versions {
		if v.Name == operatorVersion {
			out.Release = v.Version
		}
	}
	for _, t := range read.Status.Templates {
		m := Merged{
			Template: Template{Index: -1, Metadata: t.Metadata, Spec: t.Spec},
			Common:   t.Status.Common, Modified: t.Status.Modified, Original: t.Status.Original,
		}
		for _, c := range t.Status.Conditions {
			m.Withheld = m.Withheld || c.Type == "Deployed" && c.Status == "False"
		}
		if m.Metadata == nil {
			m.Metadata = &TemplateMetadata{}
		}
		out.Templates = append(out.Templates, m)
	}
	return out, slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID != finding.SchemaViolated || f.Severity != finding.Warning })
}

// withoutSpec reports templates of the status without a spec. HCO writes the spec of each, so
// something has removed it, and goldenarch does not know what the template imports.
func withoutSpec(read liveStatus, namespace string) finding.List {
	var found finding.List
	for i, t := range read.Status.Templates {
		if t.Spec == nil {
			found = append(found, finding.Finding{
				ID: finding.LiveInvalid, Severity: finding.Error, Field: fmt.Sprintf("status.dataImportCronTemplates[%d].spec", i),
				Text: "a template in the status of the live CR has no spec, so the live CR is not as HCO wrote it",
				Do:   "pass it as the cluster returns it: " + DumpCommand(namespace),
			})
		}
	}
	return found
}

// declared returns the declared architectures of a template of the status before HCO
// filters them, and whether it declares any. If HCO does not filter, because the multi-arch
// gate is off, the annotation has all of them (hco golden_images.go).
func (m Merged) declared() (string, bool) {
	if m.Original != "" {
		return m.Original, true
	}
	return m.Annotation(ClaimAnnotation)
}
