package workspace

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/argocd"
	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/flux"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/kustomization/edit"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
	"github.com/goldenarch/goldenarch/internal/report"
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
}

// Run checks paths, and with a commit to compare with what differs from that. It returns what the reports show.
func (c *Checker) Run(ctx context.Context, paths []string, function pipeline.Function) (report.Check, error) {
	if !c.comparesWithBase() {
		return c.checked(ctx, paths, function)
	}
	function.Open = (&fleet.SharedImages{Next: function.Open}).Open // the base has nearly the same images
	before := *c                                                    // which the run changes
	shown, err := c.checked(ctx, paths, function)
	if err == nil {
		shown.Since, err = before.since(ctx, paths, function, shown)
	}
	return shown, err
}

// checked checks paths, and returns what the reports show.
func (c *Checker) checked(ctx context.Context, paths []string, function pipeline.Function) (report.Check, error) {
	c.As.lookIn(c.firstPath(paths), &c.Base, c.routesIn)
	root, ok, err := c.statesFleet(paths)
	if err != nil {
		return report.Check{}, err
	}
	if ok {
		return c.repository(ctx, root, function, nil)
	}
	read := c.readInput(ctx, paths, function)
	in := read.reader
	if root, ok := isRepository(in, paths, read.items, read.found); ok {
		return c.repository(ctx, root, function, nil)
	}
	root, ok = oneDirectory(paths)
	if !ok || len(in.bundles) > 0 || len(c.CRPaths) > 0 && len(paths) == 0 {
		return c.input(ctx, paths, read, nil)
	}
	return c.directory(ctx, root, read)
}

// readInput reads paths as one input. Of a directory, it passes over what does not matter to the check: most files of
// most repositories. Only what it has read says whether the check is about pods; then it reads these too.
func (c *Checker) readInput(ctx context.Context, paths []string, function pipeline.Function) readInput {
	root, skips := oneDirectory(paths)
	skips = skips && !c.Literal && !kustomization.In(root)
	read := func(pods bool) readInput {
		in := c.newReader()
		in.runGenerators(ctx, function)
		if skips {
			in.manifests.Skip = func(head manifest.Head) bool { return pipeline.Unneeded(head, pods) }
		}
		items, found := in.read(paths)
		return readInput{reader: in, items: items, found: found, function: function}
	}
	pods := function.AboutPods(nil)
	first := read(pods)
	if !skips || pods {
		return first
	}
	about, err := first.isAboutPods()
	if about || err != nil || slices.ContainsFunc(object.All(first.items), func(o object.Object) bool {
		return kinds.IsGoldenarch(o.At, v1alpha1.GoldenImagesKind) && function.AboutPods(o.Node)
	}) {
		return read(true)
	}
	return first
}

// directory checks a directory that was read as one input: as that, or as a repository if it hides
// clusters.
func (c *Checker) directory(ctx context.Context, root string, in readInput) (report.Check, error) {
	about, err := in.isAboutPods()
	if err != nil {
		return report.Check{}, err
	}
	_, layout, _, err := c.layout(root, in.function, scan{whole: true, pods: about})
	if err != nil {
		return report.Check{}, err
	}
	hides, err := c.hidesClusters(in, root, layout)
	if err != nil {
		return report.Check{}, err
	}
	if hides && len(c.CRPaths) == 0 {
		if kustomization.In(root) && !slices.ContainsFunc(layout.Places, func(p repo.Place) bool { return p.Path == filepath.Clean(root) }) {
			return c.repository(ctx, root, in.function, in.found) // nobody else builds it
		}
		return c.repository(ctx, root, in.function, nil)
	}
	unseen, err := c.unseenIn(in, root, layout)
	if err != nil {
		return report.Check{}, err
	}
	in.found = slices.DeleteFunc(in.found, func(f finding.Finding) bool { return f.ID == finding.Templated && !isRoot(root, f.Object.File) })
	for i, f := range in.found {
		if f.ID == finding.Templated { // the root is a chart: there is nothing else to check
			in.found[i].Severity = finding.Warning
		}
	}
	return c.input(ctx, []string{root}, in, unseen)
}

// unused reports the exceptions that no finding below a path needs.
func (c *Checker) unused(path string, stated []finding.Stated) finding.List {
	if !files.IsDir(path) {
		path = filepath.Dir(path)
	}
	states, _ := c.readFleet(path) // what is wrong with it is reported where it is used
	return states.WithoutShared(path, finding.UnusedOf(stated))
}

// input checks paths that are one input. unseen is what else is wrong with the directory, which leaves
// what the files say.
func (c *Checker) input(ctx context.Context, paths []string, read readInput, unseen finding.List) (report.Check, error) {
	in, items, function, found := read.reader, read.items, read.function, read.found
	var checked check.Result
	if !found.Failed() {
		place := c.firstPath(paths)
		if in.hasPatch() {
			function.Open = (&fleet.SharedImages{Next: function.Open}).Open
		}
		input, more, err := in.preparePaths(&function, paths, items)
		if err != nil {
			return report.Check{}, err
		}
		found = append(found, more...)
		function.FixCommand = c.fixOf(items, paths)
		checked = c.judge(ctx, function, in, input, items, place, func(in *reader, function *pipeline.Function) (preparedInput, finding.List, error) {
			items, found := in.read(paths)
			input, more, err := in.preparePaths(function, paths, items)
			return input, append(found, more...), err
		})
	}
	if c.Literal {
		if err := flux.Literal(checked.Items); err != nil {
			return report.Check{}, err
		}
	}
	root, _ := oneDirectory(paths)
	checked.Findings = slices.Concat(found, c.Base.raised(unseen), c.Base.ignoredFiles(root), c.Base.raised(checked.Findings))
	checked.Except()
	checked.Findings = append(checked.Findings, c.unused(cmp.Or(root, c.firstPath(paths)), checked.Stated)...).Sorted()
	checked.Findings = in.located(checked.Findings)
	shown := shownCheck(checked, cmp.Or(c.firstPath(paths), "."), function.WorkDir)
	shown.Bundles = len(in.bundles)
	clusters := 0
	if shown.Any() {
		clusters = 1
	}
	shown.Findings = append(shown.Findings, c.otherNumber(clusters, nil)...)
	return shown, nil
}

// judge checks an input that is at a path, with the files that are on the way to the cluster and
// the patches of goldenarch. own are the items of the input itself, and read reads it again.
func (c *Checker) judge(
	ctx context.Context, function pipeline.Function, in *reader, input preparedInput, own []*yaml.RNode, path string,
	read func(in *reader, function *pipeline.Function) (preparedInput, finding.List, error),
) check.Result {
	plugin := in.As.plugin(path, own, input.entry)
	function.As = in.As.of(input.entry)
	function.MayRender = plugin != "" || !in.As.isStated(input.entry) && hasConfiguration(own)
	function.OnServer = func(files []string, argoCD bool) string { return in.As.onServer(path, files, argoCD) }
	applied := in.As.appliedSettings(own, input.entry) // the check takes settings out of a List
	out := function.Check(ctx, input.items, input.steps)
	judgeListed(in, &out, path)
	out.Findings = append(append(out.Findings, applied...), changedByPolicies(function.Carriers, in.checked(own, c.Machines, len(out.Pods) > 0))...)
	out.Findings = append(out.Findings, in.patchFindings(ctx, function, read)...)
	out.Findings = append(out.Findings, in.pluginSettings(function, input, path)...)
	if plugin != "" && !out.Findings.Failed() {
		out.Findings = append(out.Findings, throughPlugin(plugin, path))
	}
	return out
}

// fixOf returns the command that writes what a check of paths misses. What other directories build as well stays, if the paths are
// one directory: a patch says what it misses.
func (c *Checker) fixOf(items []*yaml.RNode, paths []string) string {
	dir, ok := oneDirectory(paths)
	if !ok || len(crFilesOutside(items, dir)) == 0 {
		return c.Commands.fix(c.CRPaths.PathsOr(c.withFilesOfFleet(paths))...)
	}
	tree, err := TreeOf(paths)
	target, wrong := files.Real(dir)
	if err != nil || wrong != nil {
		return c.Commands.fix(c.CRPaths.PathsOr(paths)...)
	}
	consumers := edit.ConsumersIn(tree.Root(), repo.Applied)
	for _, file := range crFilesOutside(items, dir) {
		if file, err := files.Real(file); err == nil && consumers.Others(target, file) != nil {
			return c.Commands.patch("fix", paths...)
		}
	}
	return c.Commands.fix(c.CRPaths.PathsOr(paths)...)
}

// crFilesOutside returns the files of the CRs that a directory builds from elsewhere.
func crFilesOutside(items []*yaml.RNode, dir string) []string {
	var out []string
	for _, o := range object.All(items) {
		if file := filepath.FromSlash(o.At.File); kinds.IsCR(o) && file != "" && kustomization.In(dir) && !files.Within(filepath.Clean(file), filepath.Clean(dir)) {
			out = append(out, file)
		}
	}
	return out
}

// judgeListed judges that the kustomization of a place lists goldenarch: what applies the
// place must run it.
func judgeListed(in *reader, checked *check.Result, place string) {
	switch {
	case len(in.built.Steps) == 0:
	case checked.As == check.Rendered:
		checked.NeedsRendering = true
	default:
		checked.Findings = append(checked.Findings, notRun(place, in.As.to(place)))
	}
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

// shownCheck converts the result of a check to what the report shows, with file names
// relative to the working directory.
func shownCheck(checked check.Result, place, dir string) report.Check {
	eachObject(&checked, func(o *finding.Object) { o.File = relative(o.File, dir) })
	for i, f := range checked.Findings {
		checked.Findings[i].File = relative(f.File, dir)
	}
	for _, r := range checked.Machines {
		for i := range r.Findings {
			r.Findings[i].Object = r.Object
		}
	}
	out := report.Check{
		Findings: checked.Findings, Rendered: checked.Rendered, Forecast: checked.Forecast, Place: relative(place, dir),
		As: checked.As, NeedsRendering: checked.NeedsRendering, Ignored: checked.Ignored,
		Pods: checked.Pods, Machines: checked.Machines, MachinesKnown: checked.MachinesKnown,
	}
	for _, cr := range checked.CRs {
		out.CRs = append(out.CRs, report.CR{Object: cr.Object, TemplatesPath: cr.TemplatesPath, Templates: cr.Templates, Changes: cr.Changes})
	}
	return out
}

// eachObject changes the objects that a check is about.
func eachObject(checked *check.Result, change func(*finding.Object)) {
	for i := range checked.Findings {
		change(&checked.Findings[i].Object)
	}
	for i := range checked.Forecast {
		change(&checked.Forecast[i].Object)
	}
	for i := range checked.Pods {
		change(&checked.Pods[i])
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
