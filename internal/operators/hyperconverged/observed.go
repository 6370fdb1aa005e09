package hyperconverged

import (
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

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
		_, stated := live.stated(p.Name())
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
	if p.Spec != nil && release.Since(firstV1) {
		policy, keep := retention(release)
		if p.Spec.RetentionPolicy == nil {
			p.Spec.RetentionPolicy = policy
		}
		if p.Spec.ImportsToKeep == nil {
			p.Spec.ImportsToKeep = keep
		}
	}
	if m.Modified {
		// The table does not have the template, so goldenarch does not know what the CR
		// changes.
		delete(p.Metadata.Annotations, EnableAnnotation)
		claim, ok := m.ofBuiltIn(live)
		if !ok {
			claim, _ = m.declared()
		}
		return p.declaring(claim)
	}
	claim, _ := m.declared()
	return p.declaring(claim)
}

// behind returns the predefined template below an entry that the CR customizes. It adds
// what the status shows: the labels, which HCO keeps, and usually the declared
// architectures.
func (p Predefined) behind(m Merged, live *Live) Predefined {
	p.Template = p.Template.clone()
	p.Metadata.Labels = cloneMap(m.Metadata.Labels)
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
	stated, there := live.stated(m.Name())
	if !has || !there {
		return "", false
	}
	own, declares := stated.Annotation(ClaimAnnotation)
	return claim, !declares || own != claim
}
