package cli

import (
	"cmp"
	"context"
	"errors"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/flux"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
	"github.com/goldenarch/goldenarch/internal/verdict"
)

// placeCheck is the check of one place of a repository.
type placeCheck struct {
	checkCommand

	session *kustomization.Session
	// fixed is what fix must get to write into the files of the place; "" for the place.
	fixed string
}

// forPlace returns the command with what it reads for one place alone.
func (c *checkCommand) forPlace(place repo.Place, session *kustomization.Session) *placeCheck {
	one := &placeCheck{session: session, checkCommand: checkCommand{render: c.alone(place)}}
	one.build, one.way = c.build, c.way
	return one
}

// alone returns the flags of the verb, to read one place alone.
func (r *render) alone(place repo.Place) render {
	out := render{streams: r.streams, flags: r.flags, config: r.config, strict: r.strict, literal: r.literal, nodes: r.nodes, live: r.live, untrusted: r.untrusted}
	if place.Kind == repo.File {
		out.files = place.Files
	}
	return out
}

// readPlace reads the manifests of a place. Of files, what is not a Kubernetes object is
// left out.
func (r *render) readPlace(place repo.Place) ([]*yaml.RNode, finding.List) {
	if place.Kind == repo.Kustomization || place.Kind == repo.Bundle {
		return r.readAll([]string{place.Path})
	}
	r.reader.Needed, r.reader.Lenient = r.needed, true
	read, failed := r.reader.Files(place.Files)
	var found finding.List
	for _, file := range place.Files {
		switch err := failed[file]; {
		case err == nil, !matters(file, place.Pods):
		case errors.Is(err, manifest.ErrTemplated):
			found = append(found, r.templated(file))
		default:
			found = append(found, repo.Unreadable(file, err))
		}
	}
	return read.Items, found
}

// checkPlace reads and checks a place, with what an entry of the Fleet states about it.
func (c *placeCheck) checkPlace(ctx context.Context, function pipeline.Function, place fleet.Cluster, states *fleet.Fleet) check.Result {
	c.runGenerators(ctx, function)
	items, found := c.readPlace(place.Place)
	failed := func(err error) check.Result {
		return check.Result{Findings: append(found, finding.Finding{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()})}
	}
	if found.Failed() && len(items) == 0 {
		return check.Result{Findings: found}
	}
	steps, err := c.steps()
	if err != nil {
		return failed(err)
	}
	if err := c.giveFacts(&function); err != nil {
		return failed(err)
	}
	wrong := c.givePolicy(&function, place.Place, c.build)
	if found = append(found, wrong...); wrong.Failed() {
		return check.Result{Findings: found}
	}
	counting, stated := countingFor(function, items, configsOf(steps)[0])
	adds := states.Additions(place.Entry, counting, stated, function.Live != nil)
	if found = append(found, adds.Found...); adds.Found.Failed() {
		return check.Result{Findings: found}
	}
	items, steps = withFleet(&function, adds, items, steps)
	function.FixCommand = c.fixCommand(cmp.Or(c.fixed, place.Path))
	function.As = func(files []string) verdict.As { return c.way.ofFiles(place.Path, files, place.Entry, &c.untrusted) }
	out := function.Check(ctx, items, steps)
	c.judgeListed(&out, place.Path, place.Entry)
	out.Findings = append(out.Findings, c.patchFindings(ctx, function, func(one *render) ([]*yaml.RNode, []pipeline.Step, finding.List) {
		items, found := one.readPlace(place.Place)
		steps, err := one.steps()
		if err != nil {
			return nil, nil, unread(err)
		}
		items, steps = withFleet(&function, adds, items, steps)
		return items, steps, found
	})...)
	if c.literal {
		if err := flux.Literal(out.Items); err != nil {
			return failed(err)
		}
	}
	out.Findings = c.session.Located(c.builds, append(found, out.Findings...))
	return out.Summary()
}
