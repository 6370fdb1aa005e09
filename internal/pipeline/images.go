package pipeline

import (
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/access"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/settings"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// Images has the images that the CRs of an input refer to, and what is needed to query
// their registries.
type Images struct {
	// ToQuery are the images that a run would query, sorted.
	ToQuery []imageref.Reference
	// Stated are the images whose architectures spec.overrides states.
	Stated []imageref.Reference
	// CRs, Pods and Locks are the places of these objects.
	CRs, Pods, Locks []finding.Object
	// Verify is how far goldenarch trusts the indexes of the images.
	Verify v1alpha1.Verify

	spec      *settings.Settings
	held      *access.Access // what the items provide for access to registries
	operators operatorsOf
	at        map[imageref.Reference]finding.Finding // the first template or pod that names an image
}

// Images returns the images that a run on the items would query. They do not depend on
// the nodes of the cluster, which may be unknown.
func (f Function) Images(items []*yaml.RNode, given *yaml.RNode) (Images, finding.List) {
	config, extra, found := f.source().Load(given, items)
	if found.Failed() {
		return Images{}, found
	}
	var in input.Input
	in.Objects = object.All(slices.Concat(items, extra))
	for _, o := range in.Objects {
		if kinds.IsCR(o) || imagestream.Is(o.At.APIVersion, o.At.Kind) || kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind) {
			found = append(found, in.Add(o)...)
		}
	}
	f.pods = f.podsOf(config)
	if f.pods.only {
		in.CRs = nil
	}
	out := Images{spec: config.Settings, Verify: config.Spec.Registry.Verify, at: map[imageref.Reference]finding.Finding{}}
	for _, o := range in.Locks {
		out.Locks = append(out.Locks, o.At)
	}
	known, list := subject.NewImages(in.Streams, out.spec)
	found = append(found, list...)
	var subjects []subject.Subject
	for _, cr := range in.CRs {
		out.CRs = append(out.CRs, cr.At)
		s := subject.Subject{Resource: cr, Subject: plan.Subject{
			CR: cr.Model, Table: subject.Table(cr.Model, out.spec, known, nil), Streams: in.Streams, References: known.References, Spec: out.spec,
		}}
		s.Questions = plan.QuestionsOf(s.Subject)
		subjects = append(subjects, s)
		for _, q := range s.Questions {
			found = append(found, s.Locate(out.add(s, q, known.Overrides))...)
		}
	}
	found = append(found, f.podImages(&out, slices.Concat(items, extra), in)...)
	mirrors, list := access.ReadMirrors(in.Objects, out.spec.GoldenImagesSpec)
	found = append(found, list...)
	out.held = access.Collect(access.Lookup{Objects: in.Objects, Named: f.Named}, mirrors, subjects, out.spec.GoldenImagesSpec)
	slices.SortFunc(out.ToQuery, access.ByText)
	slices.SortFunc(out.Stated, access.ByText)
	return out, configuration.Locate(found, config)
}

// add adds the image of a question. A source without a registry has no image.
func (i *Images) add(s subject.Subject, q plan.Question, believed subject.Overrides) finding.List {
	at := finding.Finding{ID: finding.Unresolved, Severity: finding.Error, Field: s.CR.TemplatePath(q.Template.Index), Current: q.Text}
	switch {
	case q.Problem != nil && q.Problem.ID == finding.NoImageStream:
		problem := *q.Problem
		problem.Severity = finding.Warning
		problem.Text += ". The lock does not get its image"
		return finding.List{problem}
	case q.Problem != nil && q.Problem.ID == finding.ReferenceInvalid:
		problem := *q.Problem
		problem.Severity = finding.Error
		return finding.List{problem}
	case q.Text == "":
		return nil
	case q.Invalid != nil:
		at.ID, at.Text, at.Do = finding.ReferenceInvalid, q.Invalid.Error(), "correct the url"
		return finding.List{at}
	}
	ref := q.Image
	if _, known := i.at[ref]; known {
		return nil
	}
	i.at[ref] = s.Locate(finding.List{at})[0]
	if _, ok := believed.Find(ref); ok {
		i.Stated = append(i.Stated, ref)
	} else {
		i.ToQuery = append(i.ToQuery, ref)
	}
	return nil
}

// Answers resolves references at their registries, all at once, regardless of any lock.
// Each reference that cannot be resolved is an error finding. The answers have the
// order of the references.
func (f Function) Answers(ctx context.Context, images Images, refs []imageref.Reference) ([]registry.Image, finding.List) {
	if len(refs) == 0 {
		return nil, nil
	}
	resolver, err := images.held.Open(f.Open, f.Registry)
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
		problem.Text, problem.Do = result.Err.Error(), "state what the image has in spec.overrides"
		found = append(found, problem)
	}
	return out, append(found, images.held.Findings()...)
}

// unreachable reports that goldenarch cannot query the registries with this
// configuration.
func unreachable(err error) finding.Finding {
	return finding.Finding{
		ID: finding.ConfigInvalid, Severity: finding.Error, Field: "spec.registry", Text: err.Error(), Do: "correct the configuration",
	}
}
