package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/host/argocd"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/kustomize/edit"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/workspace/fleet"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// Checker checks what is committed.
type Checker struct {
	Options

	// Machines says that virtual machines are checked, too.
	Machines bool
	// FailOn is the severity of findings on which a check fails.
	FailOn finding.Severity
	// Expected is how many clusters the user expects; below 0 for any number.
	Expected int

	// ofOperator says that the paths are of the repository of an operator.
	ofOperator bool
	// consumers say who else builds the files of the run.
	consumers *edit.Consumers
}

// Run checks paths, and with a commit to compare with what differs from that. It returns what the reports show.
func (c *Checker) Run(ctx context.Context, paths []string, function engine.Function) (report.Check, error) {
	if c.Base.policy == "" || c.Base.Untrusted { // the base of a stranger's commit has the policy
		return c.checked(ctx, paths, function)
	}
	before := *c // which the run changes
	shown, err := c.checked(ctx, paths, function)
	if err == nil {
		shown.Since, err = before.since(ctx, paths, function, shown)
	}
	return shown, err
}

// checked checks paths, and returns what the reports show.
func (c *Checker) checked(ctx context.Context, paths []string, function engine.Function) (report.Check, error) {
	pods := *c
	if len(function.Required) > 0 && function.Options.Flags[workloadsKey] == "" {
		function.Options = function.Options.With(workloadsKey, string(v1alpha1.WorkloadsCheck))
	}
	shown, err := c.checkedPaths(ctx, paths, function)
	if len(function.Required) > 0 && len(shown.Pods) == 0 && shown.Any() {
		shown.Findings = append(shown.Findings, finding.Finding{
			ID: finding.NoPods, Severity: finding.Error, Text: "no object with pods was checked, and --require is about these", Do: "name a path that has some, or leave out the flag",
		})
	}
	if err == nil && c.ofOperator && c.mayCheckPods(function, shown) {
		function.Options = function.Options.With(workloadsKey, string(v1alpha1.WorkloadsCheck))
		if alone, err := pods.checkedPaths(ctx, paths, function); err == nil && alone.Any() {
			shown = alone
		}
	}
	shown.Findings = shown.Findings.Stories()
	return shown, err
}

// workloadsKey is the key of the option that says what a run does about pods.
const workloadsKey = "workloads"

// mayCheckPods reports whether a check that found nothing to check may look at pods: nobody says that it is about golden images, and
// nobody says what it does about pods. A stranger may have taken away the CR.
func (c *Checker) mayCheckPods(function engine.Function, shown report.Check) bool {
	says := slices.ContainsFunc(shown.Findings, func(f finding.Finding) bool {
		return f.Severity == finding.Error && !report.SaysNothingChecked(f) || f.ID == finding.OutsideClusters || f.ID == finding.ConfigUnlisted
	})
	return !shown.Any() && !says && !c.Base.Untrusted && c.Live == "" && function.Options.Flags[workloadsKey] == "" && function.Options.Flags["release"] == ""
}

func (c *Checker) checkedPaths(ctx context.Context, paths []string, function engine.Function) (report.Check, error) {
	if len(paths) == 0 && c.Live != "" && c.Live != manifest.Stdin && !c.Base.Untrusted && isOutsideOfGit(function.WorkDir) {
		paths = []string{c.Live} // there is nothing but the dump
	}
	c.lookIn(c.firstPath(paths))
	of, err := c.targets(paths, function)
	if err != nil {
		return report.Check{}, err
	}
	found := of.found
	c.ofOperator = len(of.layout.Bundles) > 0 || isOfOperator(c.firstPath(paths)) && !slices.Contains(paths, manifest.Stdin)
	var clusters []clusterCheck
	if !found.Failed() {
		if err := c.forOneCluster(of.layout); err != nil {
			return report.Check{}, err
		}
		clusters = c.checkAll(ctx, of, function)
		if guess := c.guess(of.layout, clusters); guess != nil {
			function.Guess = guess
			if of.layout, err = c.machinesBeside(ctx, of, function, &clusters[0]); err != nil {
				return report.Check{}, err
			}
		}
		for _, f := range of.states.Unmatched(of.root) {
			f.Severity = finding.Error // a cluster that vanishes is one that nobody checks
			found = append(found, f)
		}
	}
	if of.isOne() {
		return c.shownOne(of, clusters, function.WorkDir)
	}
	if len(clusters) == 0 && !found.Failed() {
		found = append(found, renderedAlone(of.states, of.root)...)
	}
	found = slices.Concat(of.beside, found, c.Base.raised(of.layout.Found), c.Base.raised(of.layout.Unread), c.Base.ignoredFiles(of.root))
	found = append(append(found, staleFacts(of.states, clusters)...), c.appliedFleet(of.root, clusters)...)
	return c.shownRepository(of, clusters, found, function.WorkDir), nil
}

// targets returns the clusters of paths, with what is wrong beside them.
func (c *Checker) targets(paths []string, function engine.Function) (run, error) {
	of, err := c.find(paths, function, scan{machinesStated: c.StatesArchitectures && function.Machines != engine.MachinesNone})
	root, ok := oneDirectory(paths)
	switch {
	case err != nil:
		return of, err
	case !of.isOne():
		return c.joined(of), nil
	case of.root == "" && ok && len(paths) > 0 && !isBundle(root): // the directory may have more than the file of --cr-path
		beside, err := c.lookThrough(root, function, scan{})
		if err != nil {
			return of, err
		}
		of.layout = beside.layout
	}
	of.beside, of.others = c.unseenIn(root, of.layout)
	return of, nil
}

// joined returns a run in which the machines that an entry of the Fleet states are part of its cluster.
func (c *Checker) joined(of run) run {
	of.targets = of.targetsOf(fleet.Joined(of.states.At(of.layout.Places)))
	return of
}

// shownOne returns the check of what the user names as one cluster: what it says, and what else is wrong with the directory.
func (c *Checker) shownOne(of run, clusters []clusterCheck, dir string) (report.Check, error) {
	one := clusterCheck{target: of.targets[0]}
	if len(clusters) > 0 {
		one = clusters[0]
	}
	one.Findings = slices.Concat(of.found, one.Findings, c.unused(one.Path, one.Stated)).Sorted()
	shown := shownCheck(one.Summary, of.others, one.Path, dir)
	shown.Bundles = one.bundles
	n := 0
	if shown.Any() {
		n = 1
	}
	shown.Findings = append(shown.Findings, c.otherNumber(n, nil)...)
	return shown, one.err
}

// unused reports the exceptions that no finding below a path needs.
func (c *Checker) unused(path string, stated []finding.Stated) finding.List {
	if !files.IsDir(path) {
		path = filepath.Dir(path)
	}
	states, _ := c.readFleet(path) // what is wrong with it is reported where it is used
	return states.WithoutShared(path, finding.UnusedOf(stated))
}

// judge checks the input of a target that is at a path, with the files that are on the way to the cluster and
// the patches of goldenarch. own are the items of the input itself.
func (c *Checker) judge(ctx context.Context, in input, t target, own []*yaml.RNode, path string) check.Result {
	function := &in.function
	function.As = in.As.of(t.Entry)
	var plugins repo.Routes // where nobody states what gets to the cluster
	if in.As.stated(t.Entry) == "" {
		plugins = in.As.plugins(path, own)
		function.MayRender = len(plugins) > 0 || hasConfiguration(own)
	}
	function.OnServer = func(files []string, argoCD bool) string { return in.As.onServer(path, files, argoCD) }
	// The check takes settings, and what is for tools alone, out of a List.
	applied := append(in.As.appliedSettings(own, t.Entry), c.leftOut(function, t, own)...)
	out := function.Check(ctx, in.items, in.steps)
	switch { // what applies the place must run what its kustomization lists
	case len(in.built.Steps) == 0:
	case out.As == check.Rendered:
		out.NeedsRendering = true
	default:
		out.Findings = append(out.Findings, notRun(path, in.As.to(path)))
	}
	checked := in.checked(own, c.Machines, len(out.Pods) > 0)
	out.Findings = slices.Concat(out.Findings, applied, changedByPolicies(function.Carriers, checked), changedBySyncSets(own, checked), keptBack(checked))
	out.Findings = append(out.Findings, in.patchFindings(ctx, *function, t)...)
	out.Findings = append(out.Findings, in.pluginSettings(path)...)
	out.Findings = append(out.Findings, in.As.notRendered(t.Path, own, t.Entry)...)
	if len(plugins) > 0 && !out.Findings.Failed() {
		out.Findings = append(out.Findings, throughPlugin(plugins[0].By, path))
	}
	return out
}

// fixOf returns the command that writes what a check of a target misses: for the whole repository if that decides for others, too.
// What other directories build as well stays, if the user names one directory: a patch says what it misses.
func (c *Checker) fixOf(t target, items []*yaml.RNode) string {
	outside := crFilesOutside(items, t.Path)
	switch _, ok := oneDirectory(t.paths); {
	case !t.named && (t.states != nil || len(outside) > 0): // fix reads the Fleet there
		return c.Commands.fix(c.root)
	case !t.named:
		return c.Commands.fix(t.Path)
	case !ok || len(outside) == 0:
		return c.Commands.fix(c.CRPaths.PathsOr(c.withFilesOfFleet(t.paths))...)
	}
	dir, err := files.Real(t.Path)
	if err == nil && slices.ContainsFunc(outside, func(file string) bool {
		file, err := files.Real(file)
		return err == nil && c.consumers.Others(dir, file) != nil
	}) {
		return c.Commands.patch("fix", t.paths...)
	}
	return c.Commands.fix(c.CRPaths.PathsOr(t.paths)...)
}

// crFilesOutside returns the files of the CRs that a directory builds from elsewhere.
func crFilesOutside(items []*yaml.RNode, dir string) []string {
	var out []string
	for _, o := range object.All(items) {
		if file := filepath.FromSlash(o.At.File); kinds.IsCR(o) && file != "" && kustomize.In(dir) && !files.Within(filepath.Clean(file), filepath.Clean(dir)) {
			out = append(out, file)
		}
	}
	return out
}

// hasConfiguration reports whether an input has a configuration of goldenarch, by which a plugin of Argo CD finds its directory.
func hasConfiguration(items []*yaml.RNode) bool {
	return slices.ContainsFunc(items, func(item *yaml.RNode) bool {
		return argocd.KindOf(item, []string{argocd.GoldenImages, argocd.Workloads}) != ""
	})
}

// otherNumber reports another number of clusters than the user expects.
func (c *Checker) otherNumber(clusters int, names []string) finding.List {
	if c.Expected < 0 || c.Expected == clusters {
		return nil
	}
	f := finding.Finding{
		ID: finding.ClustersMissing, Severity: finding.Error,
		Text: fmt.Sprintf("goldenarch finds %s to check, and --expect-clusters says %d", finding.Count(clusters, "cluster"), c.Expected),
		Do:   "find out which cluster came or went, or correct the number",
	}
	if len(names) > 0 {
		f.Text += ": " + finding.FirstOf(names)
	}
	return finding.List{f}
}

// shownCheck returns the check that the report shows, with what else is there, and with file names
// relative to the working directory.
func shownCheck(checked check.Summary, others []report.Group, place, dir string) report.Check {
	eachObject(&checked, func(o *finding.Object) { o.File = relative(o.File, dir) })
	for i, f := range checked.Findings {
		checked.Findings[i].File = relative(f.File, dir)
	}
	for _, r := range checked.Machines {
		for i := range r.Findings {
			r.Findings[i].Object = r.Object
		}
	}
	for _, group := range others {
		for i, name := range group.Names {
			group.Names[i] = relative(name, dir)
		}
	}
	return report.Check{Summary: checked, Others: others, Place: relative(place, dir)}
}

// eachObject changes the objects that a check is about.
func eachObject(checked *check.Summary, change func(*finding.Object)) {
	for i := range checked.Findings {
		change(&checked.Findings[i].Object)
	}
	for i := range checked.Forecast {
		change(&checked.Forecast[i].Object)
	}
	for i := range checked.Pods {
		change(&checked.Pods[i])
	}
	for i := range checked.Crons {
		change(&checked.Crons[i])
	}
	for i := range checked.Supports {
		change(&checked.Supports[i].Object)
	}
	for i := range checked.CRs {
		change(&checked.CRs[i].Object)
	}
	for i := range checked.Machines {
		change(&checked.Machines[i].Object)
	}
}

// relative returns the name of a file relative to the directory, with slashes. A file
// that is not below it keeps its name.
func relative(file, dir string) string {
	if file == "" {
		return ""
	}
	if filepath.IsAbs(file) {
		if below, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(below) {
			file = below
		}
	}
	return filepath.ToSlash(filepath.Clean(file))
}
