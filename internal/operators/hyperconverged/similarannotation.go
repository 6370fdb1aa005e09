package hyperconverged

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// annotationsOfCR are the annotations of the CR itself that HCO or goldenarch read, with
// the effect of each (hco pkg/util/consts.go).
var annotationsOfCR = []struct{ key, does string }{
	{SSPPatchAnnotation, "HCO patches the SSP CR with"},
	{"kubevirt.kubevirt.io/jsonpatch", "HCO patches the KubeVirt CR with"},
	{"containerizeddataimporter.kubevirt.io/jsonpatch", "HCO patches the CDI CR with"},
	{"networkaddonsconfigs.kubevirt.io/jsonpatch", "HCO patches the NetworkAddonsConfig CR with"},
	{GateRecord, "goldenarch records the multi-arch gate from before spec.gate: Disable in"},
}

// similarAnnotations returns a warning for each annotation of the CR itself that has no
// effect there. Such an annotation belongs on a template, or its key is similar to a known
// one.
func (cr *CR) similarAnnotations() finding.List {
	var found finding.List
	for _, key := range slices.Sorted(maps.Keys(cr.Annotations)) {
		f := finding.Finding{ID: finding.AnnotationNear, Severity: finding.Warning, Field: "metadata.annotations[" + key + "]", Current: key}
		switch meant, does := cr.similarAnnotation(key); {
		case key == ClaimAnnotation || key == EnableAnnotation:
			f.Text = fmt.Sprintf("HCO ignores the annotation %q on the CR: it reads this annotation on templates", key)
			f.Do = "move it to metadata.annotations of the template"
		case meant != "":
			f.Proposed = meant
			f.Text = fmt.Sprintf("no operator reads the annotation %q: %s %q", key, does, meant)
			f.Do = "rename it to " + meant
		default:
			continue
		}
		found = append(found, f)
	}
	return found
}

// similarAnnotation returns the annotation of the CR whose key is similar to key, and its
// effect. It returns "" if no key is similar, or if the CR already has that annotation.
func (cr *CR) similarAnnotation(key string) (meant, does string) {
	for _, one := range annotationsOfCR {
		if key == one.key {
			return "", ""
		}
	}
	for _, one := range annotationsOfCR {
		if _, has := cr.Annotations[one.key]; !has && nearKey(key, one.key, commonName) {
			return one.key, one.does
		}
	}
	return "", ""
}
