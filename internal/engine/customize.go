package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/engine/configuration"
	"github.com/goldenarch/goldenarch/internal/engine/customize"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/engine/output"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
	"github.com/goldenarch/goldenarch/transformers"
)

// Customize makes the CR of the items customize one template as a person requests it, in
// place, with the declared architectures of its image. Nothing else changes, and the nodes
// need not be known. After an error finding the items are as they were.
func (f Function) Customize(ctx context.Context, items []*yaml.RNode, steps []Step, r customize.Request) finding.List {
	s := f.load(items, steps, nil)
	if s.Failed() {
		return s.List
	}
	step := s.deciding
	c := customization{run: step.newRun(step.input(s.items)), request: r}
	s.Add(c.read()...)
	if !s.Failed() {
		s.Add(c.edit(ctx)...)
	}
	found := s.exceptions.Adjusted(s.List)
	switch {
	case found.Failed(): // nothing is written
		found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID == finding.Customized || f.ID == finding.CustomizeDisabled })
	case c.copy != nil:
		object.Replace(c.joined.Item, c.copy.YNode())
	}
	return s.exceptions.Apply(configuration.Locate(found, step.config)).List
}

// customization is what customize reads and edits.
type customization struct {
	*run

	request customize.Request
	joined  join.Joined
	copy    *yaml.RNode // of the item with the CR, edited; nil without an edit
}

// read reads the CR and what is known about its predefined templates. Of what is wrong with the
// CR, it reports what could make the edit one of another template, or of another CR.
func (c *customization) read() finding.List {
	c.run.read()
	found := c.found.List
	if found.Failed() {
		return found
	}
	if len(c.in.CRs) != 1 {
		return append(found, c.notOneCR(found))
	}
	joined, wrong := c.join()
	found = append(c.found.List, slices.DeleteFunc(wrong, func(f finding.Finding) bool { return f.ID != finding.LiveOther && f.ID != finding.NameDuplicate })...)
	c.joined = joined[0]
	c.joined.Table, c.joined.Cluster, c.joined.Questions = c.joined.Table.At(c.spec.Release), cluster.Architectures{}, nil
	found = append(found, c.joined.Locate(plan.Unserved(c.joined.Known))...)
	withFields, err := check.WithFieldErrors(c.in.CRs, c.spec.Release, found)
	if err != nil {
		return append(found, c.joined.Unreadable(err))
	}
	return withFields
}

// notOneCR reports that the input does not say which CR to edit.
func (c *customization) notOneCR(found finding.List) finding.Finding {
	if len(c.in.CRs) == 0 {
		f := noCR(found, c.in.Objects)
		f.Severity = finding.Error
		return f
	}
	var places []string
	for _, cr := range c.in.CRs {
		places = append(places, cr.NameAndLocation())
	}
	return finding.Finding{
		ID: finding.CustomizeWhichCR, Severity: finding.Error,
		Text: fmt.Sprintf("the input has %d HyperConverged CRs: %s", len(places), strings.Join(places, ", ")), Do: "name the file or the directory of one of them",
	}
}

// edit writes the customization into a copy of the CR, and then the architectures that
// the image of the edited template has.
func (c *customization) edit(ctx context.Context) finding.List {
	edit, found := customize.Edit(c.joined, c.request)
	if found.Failed() {
		return found
	}
	if !edit.Empty() {
		found = append(found, c.unreachable(edit)...)
	}
	var err error
	if c.copy, err = yamlnode.Expanded(c.joined.Item); err != nil {
		return append(found, c.joined.Unreadable(err))
	}
	err = c.joined.Edit(c.copy, func(cr *yaml.RNode) error { return transformers.Customize(cr, string(c.joined.CR.Version), edit) })
	if err != nil {
		return append(found, c.joined.Unreadable(err))
	}
	claim, more := c.declare(ctx)
	if found = append(found, more...); found.Failed() {
		return found
	}
	if edit.Empty() && claim == nil {
		c.copy = nil
		return found
	}
	after, more := c.edited()
	if found = append(found, more...); after == nil {
		return found
	}
	if entry, ok := after.Template(c.request.Template); ok {
		found = append(found, c.about(after, entry.Index)...)
	}
	return found
}

// unreachable reports a wrapped CR whose cluster would not get the edit.
func (c *customization) unreachable(edit transformers.Customization) finding.List {
	decided := plan.Plan{Edits: transformers.Edits{Templates: []transformers.Template{{Index: edit.Index, Name: edit.Name}}}}
	emitsNothing := settings.Of(&v1alpha1.GoldenImagesSpec{Expand: v1alpha1.ExpandSpec{Mode: v1alpha1.ExpandNone}})
	return output.Unreachable([]join.Joined{c.joined}, []plan.Plan{decided}, emitsNothing, c.function.Carriers)
}

// declare writes the declared architectures of the new image into the copy, and returns
// them; nil if they stay.
func (c *customization) declare(ctx context.Context) (*transformers.Claim, finding.List) {
	if c.request.Image == "" {
		return nil, nil
	}
	model, found := c.edited()
	if model == nil {
		return nil, found
	}
	s := c.joined
	s.CR = withEnabled(model, c.request.Template)
	if q, ok := plan.QuestionOf(s.Known, c.request.Template); ok {
		s.Questions = []plan.Question{q}
		if found = append(found, s.Locate(plan.Unimportable(s.Known, q))...); found.Failed() {
			return nil, found
		}
	}
	lookup, more := newLookup(c.loadedStep, c.in, imagesOf([]join.Joined{s}))
	if found = append(found, more...); found.Failed() {
		return nil, found
	}
	answers, more := lookup.answersForCRs(ctx, []join.Joined{s})
	if found = append(found, more...); found.Failed() || len(s.Questions) == 0 {
		return nil, found
	}
	claim, proven, more := plan.Declared(s.Known, s.Questions[0], answers)
	if found = append(found, c.joined.Locate(withFlags(more))...); found.Failed() {
		return nil, found
	}
	index := s.Questions[0].Template.Index
	edits := transformers.Edits{Templates: []transformers.Template{{Index: index, Name: c.request.Template, Claim: claim}}}
	err := c.joined.Edit(c.copy, func(cr *yaml.RNode) error { return transformers.Apply(cr, string(s.CR.Version), edits) })
	if err != nil {
		return nil, append(found, c.joined.Unreadable(err))
	}
	before, _ := c.joined.CR.Template(c.request.Template)
	if after, _ := c.edited(); after != nil && (claim != nil || customize.URL(before) != c.request.Image) {
		found = append(found, c.joined.Locate(finding.List{customize.Changed(s, before, after.Templates[index], proven)})...)
	}
	return claim, found
}

// edited reads the CR of the copy.
func (c *customization) edited() (*hyperconverged.CR, finding.List) {
	o := c.joined.Object
	o.Item, o.Node = c.copy, c.joined.InCopy(c.copy)
	data, err := o.JSON()
	if err != nil {
		return nil, finding.List{o.Unreadable(err)}
	}
	cr, found := c.crs.Parse(data)
	if cr == nil {
		return nil, o.Locate(found)
	}
	return cr.In(c.joined.CR.Namespace), nil
}

// about returns what HCO refuses in one template of a CR.
func (c *customization) about(cr *hyperconverged.CR, index int) finding.List {
	return c.joined.Locate(slices.DeleteFunc(hyperconverged.Refused(cr, c.joined.Table), func(f finding.Finding) bool {
		return !fieldpath.IsAt(f.Field, cr.TemplatePath(index))
	}))
}

// withFlags returns findings with advice for the verb customize. "goldenarch lock" finds
// the image only when the CR has it.
func withFlags(found finding.List) finding.List {
	for i, f := range found {
		switch {
		case f.ID == finding.LockMissing && f.Severity == finding.Error:
			found[i].Do = "run without --offline and with --set lock=Prefer to query the registry, and run goldenarch lock afterwards"
		case f.ID == finding.ClaimEmpty && f.Proposed != nil:
			found[i].Do = fmt.Sprintf("pass --set existing=Replace to declare %v", f.Proposed)
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
