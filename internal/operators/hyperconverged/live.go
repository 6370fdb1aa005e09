package hyperconverged

import (
	"slices"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/finding"
)

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
// read the spec or the status.
func ParseLive(data []byte) (*Live, finding.List) {
	var read liveStatus
	if err := decode(data, &read); err != nil {
		return nil, violated("", data, &read, err)
	}
	cr, found := Parse(data)
	if cr == nil {
		return nil, found
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
	return out, nil
}

// stated returns a template from the list in the live CR's spec, and whether it exists.
func (l *Live) stated(name string) (Template, bool) {
	i := slices.IndexFunc(l.CR.Templates, func(t Template) bool { return t.Name() == name })
	if i < 0 {
		return Template{}, false
	}
	return l.CR.Templates[i], true
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
