package cli

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/flux"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
)

// checkers is how many clusters are checked at once.
func checkers() int { return min(runtime.GOMAXPROCS(0), 8) }

// forPlace returns the command with what it reads for one place alone.
func (c *checkCommand) forPlace(place repo.Place) *checkCommand {
	one := &checkCommand{render: render{
		streams: c.streams, flags: c.flags, config: c.config, strict: c.strict, literal: c.literal, nodes: c.nodes, live: c.live, build: c.build,
	}}
	if place.Kind == repo.File {
		one.files = place.Files
	}
	return one
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
		case err == nil:
		case errors.Is(err, manifest.ErrTemplated):
			found = append(found, r.templated(file))
		default:
			found = append(found, repo.Unreadable(file, err))
		}
	}
	return read.Items, found
}

// checkPlace checks what was read of a place.
func (c *checkCommand) checkPlace(ctx context.Context, function pipeline.Function, items []*yaml.RNode, found finding.List,
	state func(*pipeline.Function, []*yaml.RNode, *yaml.RNode) fleetInput,
) check.Result {
	failed := func(err error) check.Result {
		return check.Result{Findings: append(found, finding.Finding{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()})}
	}
	if found.Failed() && len(items) == 0 {
		return check.Result{Findings: found}
	}
	given, err := c.given()
	if err != nil {
		return failed(err)
	}
	if function.Nodes, err = c.givenNodes(); err != nil {
		return failed(err)
	}
	if function.Live, err = c.givenLive(); err != nil {
		return failed(err)
	}
	c.prepare(&function)
	adds := state(&function, items, given)
	if found = append(found, adds.found...); adds.found.Failed() {
		return check.Result{Findings: found}
	}
	out := function.Check(ctx, slices.Concat(items, adds.items), adds.given)
	if c.literal {
		if err := flux.Literal(out.Items); err != nil {
			return failed(err)
		}
	}
	out.Findings = kustomization.Located(c.builds, append(found, out.Findings...))
	// Nobody needs the items, and of many clusters they take much memory.
	return check.Result{Findings: out.Findings, Forecast: out.Forecast, Rendered: out.Rendered, CRs: out.CRs, Pods: out.Pods}
}
