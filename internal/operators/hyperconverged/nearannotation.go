package hyperconverged

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/near"
)

// readAnnotations are the annotations of a template that HCO, SSP, CDI or goldenarch read,
// with the effect of each. Distinctive says that no other API group has an annotation with
// this name.
var readAnnotations = []struct {
	key, does   string
	distinctive bool
}{
	{ClaimAnnotation, "HCO reads the architectures of the template from", true},
	{EnableAnnotation, "HCO reads whether a template is enabled from", false},
	{BindAnnotation, "CDI decides whether to bind the volume immediately by", true},
	{WrittenAnnotation, "goldenarch records the architectures that it wrote in", false},
	{DisabledAnnotation, "goldenarch records why it disabled a template in", false},
}

// nearAnnotations returns a warning for each annotation of a template whose key is similar
// to a known one. It does not warn if the template also has the known annotation.
func (cr *CR) nearAnnotations() finding.List {
	var found finding.List
	for i, t := range cr.Templates {
		if t.Metadata == nil {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(t.Metadata.Annotations)) {
			for _, one := range readAnnotations {
				if _, has := t.Metadata.Annotations[one.key]; has || !nearKey(key, one.key, one.distinctive) {
					continue
				}
				found = append(found, finding.Finding{
					ID: finding.AnnotationNear, Severity: finding.Warning, Field: cr.TemplatePath(i) + ".metadata.annotations[" + key + "]", Current: key, Proposed: one.key,
					Text: fmt.Sprintf("no operator reads the annotation %q: %s %q", key, one.does, one.key),
					Do:   fmt.Sprintf("rename it to %s", one.key),
				})
				break
			}
		}
	}
	return found
}

// commonName says that the name of a key, without its prefix, is not distinctive.
const commonName = false

// nearKey reports whether an annotation's key is similar to a known one. Either the prefix
// is the same and the name is similar, or the prefix is similar. If the name is
// distinctive, a prefix of the same project is enough.
func nearKey(key, known string, distinctive bool) bool {
	prefix, name := cutKey(key)
	knownPrefix, knownName := cutKey(known)
	sameName := name == knownName
	nearName := sameName || near.Word(name, []string{knownName}) != ""
	switch {
	case key == known, !nearName:
		return false
	case prefix == knownPrefix, near.Word(prefix, []string{knownPrefix}) != "" && sameName:
		return true
	default:
		return distinctive && (prefix == "" || prefix == "kubevirt.io" || strings.HasSuffix(prefix, ".kubevirt.io"))
	}
}

// cutKey returns the prefix and the name of a key: "ssp.kubevirt.io" and
// "dict.architectures".
func cutKey(key string) (prefix, name string) {
	if prefix, name, ok := strings.Cut(key, "/"); ok {
		return prefix, name
	}
	return "", key
}
