package customize

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/transformers"
)

// Request is what a person wants of a template.
type Request struct {
	// Template is its name.
	Template string
	// Image is the url of the registry source, with its scheme; "" leaves the source.
	Image string
	// Switch is Disable, Enable or Leave.
	Switch transformers.Switch
}

// Edit returns what a request changes in a CR. If a finding is an error, there is no edit.
func Edit(s join.Joined, r Request) (transformers.Customization, finding.List) {
	out := transformers.Customization{Index: -1, Name: r.Template}
	entry, inCR := s.CR.Template(r.Template)
	base, predefined := s.Table.Find(r.Template)
	if !inCR && !predefined {
		return out, finding.List{unknown(s, r.Template)}
	}
	if inCR {
		out.Index = entry.Index
	}
	var found finding.List
	if r.Image != "" && URL(entry) != r.Image {
		out.Image = r.Image
	}
	if r.Image != "" && entry.Spec == nil {
		if found = s.Locate(uncertain(s, base, predefined, r.Template)); found.Failed() {
			return out, found
		}
		out.Annotations, out.Spec = copied(base)
	}
	out.Switch = switchOf(entry, inCR, r)
	if out.Switch == transformers.Leave && r.Image != "" && isDisabled(entry) {
		found = append(found, staysDisabled(s, entry))
	}
	return out, found
}

// switchOf returns how the enable annotation of an entry changes.
func switchOf(entry hyperconverged.Template, inCR bool, r Request) transformers.Switch {
	value, has := entry.Annotation(hyperconverged.EnableAnnotation)
	_, ours := entry.Annotation(hyperconverged.DisabledAnnotation)
	switch {
	case r.Switch == transformers.Disable && (value != "false" || ours):
		return transformers.Disable
	case r.Switch == transformers.Enable && inCR && entry.Spec == nil && r.Image == "":
		return transformers.Remove // enabled, an entry without a spec is an error
	case r.Switch == transformers.Enable && (has || ours):
		return transformers.Enable
	default:
		return transformers.Leave
	}
}

// isDisabled reports whether an entry is disabled in the text of the CR, by whomever. The
// model of the CR has what goldenarch disabled enabled again.
func isDisabled(entry hyperconverged.Template) bool {
	_, ours := entry.Annotation(hyperconverged.DisabledAnnotation)
	return ours || !entry.Enabled()
}

// URL returns the url of a template's registry source, if that is its only source.
func URL(t hyperconverged.Template) string {
	registry := t.Registry()
	if registry == nil || registry.URL == nil || registry.ImageStream != nil {
		return ""
	}
	return *registry.URL
}

// sourceName returns what a template imports, for a message; "" for nothing.
func sourceName(t hyperconverged.Template) string {
	registry := t.Registry()
	switch {
	case t.Source() == nil:
		return ""
	case registry == nil:
		return fmt.Sprintf("a source of kind %q", hyperconverged.SourceKind(t.Source()))
	case registry.ImageStream != nil && *registry.ImageStream != "":
		return fmt.Sprintf("the ImageStream %q", *registry.ImageStream)
	case registry.URL != nil:
		return *registry.URL
	default:
		return ""
	}
}
