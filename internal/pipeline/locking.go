package pipeline

import (
	"context"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// Images is what the CRs of an input refer to, and what is needed to ask for it.
type Images struct {
	// Asked are the images that a run would ask for, sorted.
	Asked []registry.Reference
	// Stated are those of which spec.overrides says what they have.
	Stated []registry.Reference
	// CRs and Locks are where they are.
	CRs, Locks []finding.Object
	// Verify is how far the indexes of the images are believed.
	Verify v1alpha1.Verify

	spec *v1alpha1.GoldenImagesSpec
	held *gathered                              // what the items hold for asking
	at   map[registry.Reference]finding.Finding // the template that names an image first
}

// Images finds the images that a run on the items would ask for. The nodes of
// the cluster make no difference to that, and need not be known.
func (f Function) Images(items []*yaml.RNode, given *yaml.RNode) (Images, finding.List) {
	config, extra, found := f.load(given, items)
	if found.Failed() {
		return Images{}, found
	}
	var in input
	in.objects = objects(slices.Concat(items, extra))
	for _, o := range in.objects {
		if isCR(o) || imagestream.Is(o.at.APIVersion, o.at.Kind) || isOwn(o.at, v1alpha1.ArchitectureLockKind) {
			found = append(found, in.take(o)...)
		}
	}
	out := Images{spec: &config.Spec, Verify: config.Spec.Registry.Verify, at: map[registry.Reference]finding.Finding{}}
	for _, o := range in.locks {
		out.Locks = append(out.Locks, o.at)
	}
	believed, list := newOverrides(config.Spec.Overrides)
	found = append(found, list...)
	var subjects []subject
	for _, cr := range in.crs {
		out.CRs = append(out.CRs, cr.at)
		s := subject{resource: cr, Subject: plan.Subject{
			CR: cr.model, Table: table(cr.model, out.spec, in.streams, nil), Streams: in.streams, Spec: out.spec,
		}}
		s.questions = plan.QuestionsOf(s.Subject)
		subjects = append(subjects, s)
		for _, q := range s.questions {
			found = append(found, s.own(out.take(s, q, believed))...)
		}
	}
	mirrors, list := readMirrors(in.objects, out.spec)
	found = append(found, list...)
	out.held = gather(lookup{in.objects, f.Named}, mirrors, subjects, out.spec)
	slices.SortFunc(out.Asked, byText)
	slices.SortFunc(out.Stated, byText)
	return out, ofConfig(found, config)
}

// take adds the image of a question. A source that no registry knows has none.
func (i *Images) take(s subject, q plan.Question, believed overrides) finding.List {
	at := finding.Finding{ID: finding.Unresolved, Severity: finding.Error, Field: s.CR.TemplatePath(q.Template.Index), Current: q.Reference}
	switch {
	case q.Problem != nil && q.Problem.ID == finding.NoImageStream:
		problem := *q.Problem
		problem.Severity = finding.Warning
		problem.Text += "; its image is not locked"
		return finding.List{problem}
	case q.Problem != nil && q.Problem.ID == finding.ReferenceInvalid:
		problem := *q.Problem
		problem.Severity = finding.Error
		return finding.List{problem}
	case q.Reference == "":
		return nil
	}
	ref, err := registry.ParseReference(q.Reference)
	if err != nil {
		at.ID, at.Text, at.Do = finding.ReferenceInvalid, err.Error(), "correct the url"
		return finding.List{at}
	}
	if _, known := i.at[ref]; known {
		return nil
	}
	i.at[ref] = s.own(finding.List{at})[0]
	if _, ok := believed.find(ref.String()); ok {
		i.Stated = append(i.Stated, ref)
	} else {
		i.Asked = append(i.Asked, ref)
	}
	return nil
}

// Answers asks the registries for references, all at once, whatever lock there
// is. Each that cannot be resolved is an error finding. The answers have the
// order of the references.
func (f Function) Answers(ctx context.Context, images Images, refs []registry.Reference) ([]registry.Image, finding.List) {
	if len(refs) == 0 {
		return nil, nil
	}
	resolver, err := f.reach(images.held)
	if err != nil {
		return nil, finding.List{unreachable(err)}
	}
	ctx, cancel := context.WithTimeout(ctx, images.spec.Registry.RunTimeout())
	defer cancel()
	var out []registry.Image
	var found finding.List
	for _, result := range registry.ResolveAll(ctx, resolver, refs) {
		if result.Err == nil {
			result.Image.Reference = result.Reference.String()
			out = append(out, result.Image)
			continue
		}
		problem, ok := images.at[result.Reference]
		if !ok {
			problem = finding.Finding{ID: finding.Unresolved, Severity: finding.Error}
		}
		problem.Text, problem.Do = result.Err.Error(), "mend it, or declare what the image has in spec.overrides"
		found = append(found, problem)
	}
	return out, append(found, images.held.tell()...)
}

// unreachable tells that the registries cannot be asked as the configuration
// says.
func unreachable(err error) finding.Finding {
	return finding.Finding{
		ID: finding.ConfigInvalid, Severity: finding.Error, Field: "spec.registry", Text: err.Error(), Do: "correct the configuration",
	}
}

func byText(a, b registry.Reference) int {
	return strings.Compare(a.String(), b.String())
}
