package engine

import (
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/engine/output"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/access"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// judgement is a check at work.
type judgement struct {
	check.Result

	// step is the step that the check judges, or the one that failed before it, and run is what
	// that one decided.
	step *loadedStep
	run  *run
	// committedPods has the problems of pods as they are in the files.
	committedPods finding.Collector
}

// check runs the steps, and judges the files as they are committed, or what the steps render.
func (s *session) check(ctx context.Context) check.Result {
	items := s.items
	s.Add(output.LeftOutNodes(items)...)
	s.addUnused(finding.Warning)
	step := s.deciding
	about := slices.Clone(items)
	for _, one := range s.steps {
		about = append(about, one.extra...)
	}
	j := judgement{Result: check.New(s.List, about, step.crs), step: step}
	committed, before := check.Snapshot(step.input(items)), check.Snapshot(items)
	for _, one := range s.steps {
		if one.onlyChecks() {
			_, found := one.runOrCheck(ctx, one.input(items))
			j.add(found)
			continue
		}
		r := j.decide(ctx, one, one.input(items), one.input(before))
		items = withoutInputs(slices.Clone(r.items), one.extra)
		if !j.Rendered {
			break
		}
	}
	items = j.step.input(slices.DeleteFunc(items, func(item *yaml.RNode) bool { return slices.Contains(j.step.extra, item) }))
	function := step.function
	j.judge(check.Run{Committed: committed, Rendered: items, Caller: function.Caller})
	if j.As == check.Rendered {
		committed = items
	}
	if function.Dump { // no commit changes anything
		j.Findings = slices.DeleteFunc(j.Findings, func(f finding.Finding) bool {
			return f.ID == finding.LiveDiffers || f.ID == finding.NotAsRendered
		})
	}
	for i, f := range j.Findings {
		if f.ID == finding.LockUntrusted {
			j.Findings[i].Severity = finding.Error
		}
	}
	j.addPollers()
	j.checkMachines(ctx, committed)
	j.Findings = append(j.Findings, stuckImports(function.Live, j.Result)...)
	for i, f := range j.Findings {
		if j.As == check.Rendered && f.Unchanged.Severity == "" {
			j.Findings[i].Unchanged = finding.Advice{} // goldenarch does on the way what the finding says
		}
	}
	j.Findings = prediction.Fold(j.Findings).Unchanged()
	j.Exceptions = s.exceptions
	return j.Result
}

// decide lets a step decide on items, and puts what it writes in their place. committed are
// the items before any step.
func (j *judgement) decide(ctx context.Context, step *loadedStep, items, committed []*yaml.RNode) *run {
	r := step.newRun(items)
	r.decide(ctx)
	judged := step == j.step
	pods, supports := r.podsAsCommitted(ctx, committed)
	j.committedPods.AddDistinct(pods...)
	r.apply()
	j.add(r.findings())
	j.Pods = append(j.Pods, r.pods...)
	if step.function.As == check.Rendered {
		supports = r.supports
	}
	j.Supports = append(j.Supports, supports...)
	if j.Rendered = !r.found.Failed(); judged || !j.Rendered {
		j.step, j.run = step, r
	}
	return r
}

// add adds the findings of a step that no step before it has.
func (j *judgement) add(found finding.List) {
	all := finding.Collector{List: j.Findings}
	all.AddDistinct(found...)
	j.Findings = all.List
}

// addPollers adds what CDI does not find of the templates.
func (j *judgement) addPollers() {
	predicted := map[string]forecast.Forecast{}
	for _, one := range j.Forecast {
		predicted[kinds.Identity(one.Object)] = one.Forecast
	}
	var found finding.List
	for _, s := range j.run.decided.Joined {
		if of, ok := predicted[kinds.Identity(s.At)]; ok {
			found = append(found, pollerLacks(s, of, access.Lookup{Objects: j.run.in.Objects, Named: j.run.function.Named})...)
		}
	}
	j.add(found)
}

// judge judges what the steps decided. how has the items and the options of the caller.
func (j *judgement) judge(how check.Run) {
	how.Predictor, how.Decided = j.step.predictor(prediction.ThroughAdmission), j.run.decided
	how.Predictor.OutcomesOnly = true // a report shows no objects that operators make
	how.Predictor.Images = prediction.ImagesOf(how.Decided)
	how.Pods = j.committedPods.List
	j.Judge(how)
}

// copied returns copies of the items that a run may change.
func copied(items []*yaml.RNode) []*yaml.RNode {
	out := slices.Clone(items)
	for i, item := range items {
		if Needed(item) {
			out[i] = item.Copy()
		}
	}
	return out
}
