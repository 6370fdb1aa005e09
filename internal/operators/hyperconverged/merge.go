package hyperconverged

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
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
	// [Merged.Withheld] says that no architecture remains, so HCO does not deploy the
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

// Customizing merges the CR's template with the predefined one. The whole spec is the CR's,
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
	kept := joined(claim.HCO(workload))
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

// joined returns the text of a list of architectures, in the given order.
func joined(list []arch.Arch) string {
	parts := make([]string, len(list))
	for i, a := range list {
		parts[i] = string(a)
	}
	return strings.Join(parts, ",")
}
