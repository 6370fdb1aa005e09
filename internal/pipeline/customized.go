package pipeline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/access"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// answers queries the images of the questions of a subject.
func (c *customization) answers(ctx context.Context, s subject.Subject) (plan.Answers, finding.List) {
	spec := s.Spec
	locks, found := c.readLocks(c.in, spec.Lock.Mode)
	if found.Failed() {
		return nil, found
	}
	mirrors, more := access.ReadMirrors(c.in.Objects, spec.GoldenImagesSpec)
	if found = append(found, more...); more.Failed() {
		return nil, found
	}
	list := []subject.Subject{s}
	held := access.Collect(access.Lookup{Objects: c.in.Objects, Named: c.Named}, mirrors, list, spec.GoldenImagesSpec)
	answers, more := c.query(ctx, held, list, c.images.Overrides, spec, locks)
	// An override for another template or image is not unused.
	more = slices.DeleteFunc(more, func(f finding.Finding) bool { return f.ID == finding.OverrideUnused })
	return answers, append(found, more...)
}

// edited reads the CR of the copy.
func (c *customization) edited() (*hyperconverged.CR, finding.List) {
	o := c.subject.Object
	o.Item, o.Node = c.copy, c.subject.InCopy(c.copy)
	data, err := o.JSON()
	if err != nil {
		return nil, finding.List{o.Unreadable(err)}
	}
	cr, found := c.crs.Parse(data)
	if cr == nil {
		return nil, o.Locate(found)
	}
	return cr.In(c.subject.CR.Namespace), nil
}

// about returns what HCO refuses in one template of a CR, or with an id in any.
func (c *customization) about(cr *hyperconverged.CR, index int, id finding.ID) finding.List {
	var out finding.List
	for _, f := range hyperconverged.Refused(cr, c.subject.Table) {
		if f.ID == id || index >= 0 && id == "" && isAt(f.Field, cr.TemplatePath(index)) {
			out = append(out, f)
		}
	}
	return c.subject.Locate(out)
}

// isAt reports whether a field is another one or below it.
func isAt(field, path string) bool {
	return field == path || strings.HasPrefix(field, path+".")
}

// entryOf returns the entry of the CR's list with a name.
func entryOf(cr *hyperconverged.CR, name string) (hyperconverged.Template, bool) {
	i := slices.IndexFunc(cr.Templates, func(t hyperconverged.Template) bool { return t.Name() == name })
	if i < 0 {
		return hyperconverged.Template{Index: -1}, false
	}
	return cr.Templates[i], true
}

// withFlags returns findings with advice for the verb customize. "goldenarch lock" finds
// the image only when the CR has it.
func withFlags(found finding.List) finding.List {
	for i, f := range found {
		switch {
		case f.ID == finding.LockMissing && f.Severity == finding.Error:
			found[i].Do = "run without --offline and with --lock Prefer to query the registry, and run goldenarch lock afterwards"
		case f.ID == finding.ClaimEmpty && f.Proposed != nil:
			found[i].Do = fmt.Sprintf("pass --existing Replace to declare %v", f.Proposed)
		}
	}
	return found
}

// withEnabled returns a CR with one of its templates enabled: what its image has also
// matters while it is disabled.
func withEnabled(cr *hyperconverged.CR, name string) *hyperconverged.CR {
	out := *cr
	out.Templates = slices.Clone(cr.Templates)
	for i, t := range out.Templates {
		if t.Name() == name {
			metadata := *t.Metadata
			metadata.Annotations = maps.Clone(metadata.Annotations)
			delete(metadata.Annotations, hyperconverged.EnableAnnotation)
			out.Templates[i].Metadata = &metadata
		}
	}
	return &out
}
