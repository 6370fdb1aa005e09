package workspace

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/host/flux"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/kustomize/edit"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/workspace/fleet"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// clusterCheck is the check of one cluster.
type clusterCheck struct {
	check.Result
	target

	err     error // why the cluster cannot be read, which is also a finding
	bundles int   // how many of the paths are bundles of the Operator Lifecycle Manager
}

// renderedAlone reports a directory without a cluster in which the Fleet has what goldenarch renders of others.
func renderedAlone(states *fleet.Fleet, root string) finding.List {
	names, from := states.RenderedIn(root)
	if len(names) == 0 {
		return nil
	}
	return finding.List{{
		ID: finding.NoCR, Severity: finding.Error, Object: finding.Object{File: names[0]},
		Text: "the Fleet says that this file is what goldenarch renders of " + finding.FirstOf(from) + ", so it is checked with that, and not by itself",
		Do:   "run goldenarch check " + strings.Join(console.CommandPaths(from), " "),
	}}
}

// appliedFleet reports a Fleet that what applies its directory also applies. A kustomization there lists no Fleet, and a plugin
// leaves it out if goldenarch renders the directory.
func (c *Checker) appliedFleet(root string, clusters []clusterCheck) finding.List {
	file, _ := c.fleetOf(root)
	if file == "" || kustomize.In(filepath.Dir(file)) {
		return nil
	}
	items, err := manifest.ReadFile(file)
	if err != nil {
		return nil // reported where it is used
	}
	var entry *v1alpha1.FleetCluster
	if i := slices.IndexFunc(clusters, func(one clusterCheck) bool { return same(one.Path, filepath.Dir(file)) }); i >= 0 {
		entry = clusters[i].Entry
	}
	return c.As.appliedSettings(items, entry)
}

// guess returns the facts about the cluster that probably runs the machines beside the clusters of a repository: that of its only
// CR; nil if there is none, or several, or no such machine.
func (c *Checker) guess(layout repo.Layout, clusters []clusterCheck) *v1alpha1.ClusterFactsSpec {
	if !c.Machines || c.Facts != "" || len(clusters) != 1 || !hasObjects(layout.Machines) {
		return nil
	}
	return engine.FactsOfOnly(clusters[0].Forecast)
}

// machinesBeside checks the machines that are in no cluster of a repository, and adds the results to those of the only cluster. It
// returns what the repository holds beside.
func (c *Checker) machinesBeside(ctx context.Context, before run, function engine.Function, only *clusterCheck) (repo.Layout, error) {
	of, err := c.lookThrough(before.root, function, scan{machines: true})
	layout := of.layout
	if err != nil {
		return layout, err
	}
	of.states = before.states
	of.targets = slices.DeleteFunc(c.joined(of).targets, func(one target) bool { return one.Path == only.Path })
	known := map[string]bool{} // files of machines that the Fleet states
	for _, r := range only.Machines {
		known[r.Object.File] = true
	}
	for _, one := range c.checkAll(ctx, of, function) {
		one.Machines = slices.DeleteFunc(one.Machines, func(r machine.Result) bool { return known[r.Object.File] })
		one.Findings = slices.DeleteFunc(one.Findings, func(f finding.Finding) bool { return f.ID == finding.NoCR || known[f.Object.File] })
		only.Add(check.Summary{Findings: one.Findings, Machines: one.Machines, MachinesKnown: one.MachinesKnown, Ignored: one.Ignored, Rendered: true})
		only.Stated = append(only.Stated, one.Stated...)
	}
	judged := slices.DeleteFunc(slices.Clone(before.layout.Machines), func(path string) bool { return slices.Contains(layout.Machines, path) })
	layout.Guessed = judged
	layout.Places = before.layout.Places
	return layout, nil
}

// staleFacts reports facts of the Fleet that no longer agree with the CR of one of the clusters.
func staleFacts(states *fleet.Fleet, clusters []clusterCheck) finding.List {
	var all []forecast.Prediction
	for _, one := range clusters {
		all = append(all, one.Forecast...)
	}
	var found finding.List
	files := states.Facts()
	for _, file := range slices.Sorted(maps.Keys(files)) {
		for _, f := range engine.StaleFacts(all, withPublished(files[file])) {
			f.Object.File = file
			found = append(found, f)
		}
	}
	return found
}

// checkAll checks the clusters of a run, and returns the results in their order.
func (c *Checker) checkAll(ctx context.Context, of run, function engine.Function) []clusterCheck {
	function.Locks = &lock.Shared{}
	session := &edit.Session{}
	checkOne := func(ctx context.Context, t target) clusterCheck {
		return c.checkCluster(ctx, function, t, of.beside, session)
	}
	paths := []string{of.root}
	if of.isOne() {
		paths = of.targets[0].paths
	}
	tree, err := TreeOf(paths)
	_, c.consumers = consumersIn(tree, of.paths())
	if len(of.targets) < 2 || err != nil { // paths that cannot be read are errors of their own
		return fleet.Run(ctx, of.targets, checkOne)
	}
	all := decideAll(ctx, of.targets, c.consumers, checkOne)
	c.advisePatches(of.root, all)
	lists := make([]*finding.List, len(all))
	for i := range all {
		lists[i] = &all[i].Findings
	}
	dropUsedFlags(lists)
	return all
}

func (c clusterCheck) corrects() (arch.Set, finding.List) {
	var workload []arch.Arch
	for _, predicted := range c.Forecast {
		for _, a := range predicted.Forecast.WorkloadArchitectures {
			workload = append(workload, arch.Arch(a))
		}
	}
	return arch.NewSet(workload...), c.Findings
}

// checkCluster reads and checks a cluster, with what an entry of the Fleet states about it. beside is what else is wrong with what
// the user names.
func (c *Checker) checkCluster(ctx context.Context, function engine.Function, t target, beside finding.List, session *edit.Session) clusterCheck {
	in := c.readerOf(t)
	in.session, function.Others = session, t.others
	if pods := t.Pods || function.AboutPods(nil); !c.Literal && len(t.Files) > 0 { // most files of most repositories do not matter
		in.manifests.Skip = func(head manifest.Head) bool { return engine.Unneeded(head, pods) }
	}
	items, found := in.itemsOf(t)
	if t.named && isChart(t.Path) { // there is nothing else to check
		found = lowered(found, finding.Templated)
	}
	out := clusterCheck{target: t, bundles: len(in.bundles)}
	if !found.Failed() || len(items) > 0 && !t.named {
		var more finding.List
		more, out.err = c.judgeTarget(ctx, function, in, t, items, &out.Result)
		found = append(found, more...)
	}
	if out.err != nil {
		found = append(found, finding.Finding{ID: finding.Unreadable, Severity: finding.Error, Text: out.err.Error()})
	}
	if t.Kind != "" {
		found = withoutID(found, finding.Templated) // a template with a CR is unread
	}
	if t.named {
		root, _ := oneDirectory(t.paths)
		found, out.Findings = slices.Concat(found, c.Base.raised(beside), c.Base.ignoredFiles(root)), c.Base.raised(out.Findings)
	}
	out.Findings = append(found, out.Findings...)
	out.Except()
	out.Findings = in.located(out.Findings)
	var lowered finding.List
	for _, one := range out.Stated {
		lowered = append(lowered, one.Finding)
	}
	for i, one := range in.located(lowered) {
		out.Stated[i].Finding = one
	}
	out.Result = check.Result{Summary: out.Summarized(), Stated: out.Stated}
	return out
}

// judgeTarget judges the items of a target. It returns why they cannot be judged.
func (c *Checker) judgeTarget(
	ctx context.Context, function engine.Function, in *reader, t target, items []*yaml.RNode, out *check.Result,
) (finding.List, error) {
	function.FixCommand = c.fixOf(t, items)
	c.takeDump(&function, t, items)
	rendered, path := renderingOf(t), t.Path
	if rendered.file != "" {
		path, function.Variables = rendered.file, rendered.variables(&in.As)
	}
	read, found, err := in.prepareTarget(function, t, items)
	if err != nil || found.Failed() {
		return found, err
	}
	*out = c.judge(ctx, read, t, items, path)
	c.adviseByHand(read, t, out.Findings)
	if rendered.file != "" {
		c.judgeRendering(ctx, read, t, rendered, out)
		items = rendered.items
	}
	if len(t.paths) > 1 {
		path = "" // each file has routes of its own
	}
	if path != "" || len(in.builds) == 0 {
		out.Findings = append(out.Findings, in.As.changesOn(path, in.checked(items, c.Machines, len(out.Pods) > 0))...)
	}
	if in.Literal {
		err = flux.Literal(out.Items)
	}
	return found, err
}

// shownRepository returns the check of a repository: the checks of its clusters as one,
// and what was found beside them.
func (c *Checker) shownRepository(of run, clusters []clusterCheck, found finding.List, dir string) report.Check {
	root, layout := of.root, of.layout
	all := check.Summary{Findings: slices.Concat(found, c.unchecked(layout)), Rendered: true, Ignored: map[string]int{}}
	var stated []finding.Stated
	shown := report.Repository{}
	checksAny := slices.ContainsFunc(clusters, clusterCheck.checksAny)
	for _, one := range clusters {
		stated = append(stated, one.Stated...)
		place := relative(one.Path, dir)
		name := cmp.Or(one.Name(), place)
		if one.Name() != "" && slices.ContainsFunc(clusters, func(other clusterCheck) bool { return other.Name() == one.Name() && other.Path != one.Path }) {
			name += " (" + place + ")"
		}
		if !one.hasCR() && len(one.Pods)+len(one.Machines)+len(one.Crons) == 0 {
			one.Findings = withoutID(one.Findings, finding.NoCR)
			if !one.Findings.Failed() {
				layout.Without = append(layout.Without, place)
				all.Add(check.Summary{Ignored: one.Ignored, Rendered: true})
				continue
			}
		}
		if checksAny && !one.checksAny() {
			one.Findings = lowered(one.Findings, finding.NoCR) // the run is not empty because one cluster is
		}
		if place != "." { // the whole directory needs no name
			eachObject(&one.Summary, func(o *finding.Object) { o.Cluster = name })
		}
		all.Add(one.Summary)
		shown.Clusters = append(shown.Clusters, report.Cluster{
			Name: name, Path: place, Kind: string(one.Kind),
			Errors: one.Findings.Count(finding.Error), Warnings: one.Findings.Count(finding.Warning), Rendered: one.Rendered,
			Verdict: c.verdictOf(one), As: cmp.Or(one.As, check.Committed),
		})
	}
	var names []string
	for _, one := range shown.Clusters {
		names = append(names, one.Name)
	}
	all.Findings = append(append(all.Findings, c.unused(root, stated)...), c.otherNumber(len(shown.Clusters), names)...)
	skipped := c.skipped(layout)
	if len(shown.Clusters) > 0 {
		failCharts(skipped, layout.Pods)
	}
	all.Findings = append(all.Findings, c.Base.raised(skipped)...)
	if len(shown.Clusters) == 0 && !all.Findings.Failed() {
		all.Findings = append(all.Findings, c.Base.raised(finding.List{noCluster(layout, "checks", finding.Warning)})...)
	}
	slices.Sort(layout.Without)
	all.Findings = all.Findings.Sorted()
	out := shownCheck(all, foundBeside(layout), root, dir)
	out.Repository = &shown
	return out
}

// verdictOf returns the verdict of one cluster.
func (c *Checker) verdictOf(one clusterCheck) check.Verdict {
	return one.Verdict(slices.ContainsFunc(one.Findings, func(f finding.Finding) bool { return f.Severity.AtLeast(c.FailOn) }), one.checksAny())
}

// checksAny reports whether the check of a cluster says anything: of machines it may know nothing.
func (c clusterCheck) checksAny() bool {
	return c.hasCR() || len(c.Pods) > 0 || len(c.Machines) == 0 || c.MachinesKnown
}

// lowered returns findings in which the errors of an id are warnings.
func lowered(found finding.List, id finding.ID) finding.List {
	out := slices.Clone(found)
	for i, f := range out {
		if f.ID == id && f.Severity == finding.Error {
			out[i].Severity = finding.Warning
		}
	}
	return out
}

// hasCR reports whether a cluster has a CR of HCO or SSP, or one that cannot be read.
func (c clusterCheck) hasCR() bool {
	return len(c.CRs) > 0 || slices.ContainsFunc(c.Forecast, func(one forecast.Prediction) bool { return one.Object.Kind == forecast.KindSSP })
}
