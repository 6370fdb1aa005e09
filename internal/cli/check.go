package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/argocd"
	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/flux"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/kustomization/edit"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pathname"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/verdict"
)

// checkFormats are the output formats of a check.
var checkFormats = map[string]func(io.Writer, report.Check) error{
	"text": report.Text, "json": report.JSON, "markdown": report.Markdown, "html": report.HTML,
	"sarif": report.SARIF, "junit": report.JUnit, "github": report.GitHub,
}

// readByPeople are the formats that people read where goldenarch prints them. The other formats
// go to files, so goldenarch also prints the findings on standard error.
var readByPeople = []string{"text", "github"}

// checkOptions are the flags of check.
type checkOptions struct {
	inputOptions

	output string
	failOn string
	// machines is the value of --machines.
	machines string
	// allowEmpty says that a check of nothing passes, and expected is how many clusters the
	// user expects; below 0 for any number.
	allowEmpty bool
	expected   int
}

func newCheck(streams Streams) *cobra.Command {
	c := &checkOptions{inputOptions: inputOptions{streams: streams, imports: true}}
	cmd := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Check HyperConverged CRs: print findings and a prediction, and write nothing",
		Long: `Read YAML or JSON files, directories (recursively) or standard input (-), as
'goldenarch render' does. Print the findings of render, and what the API server,
HCO, SSP and CDI do with the rendered CRs. check writes no file. Without a PATH,
it reads the current directory.

The status is 1 if there is an error: what render refuses, a field that the
release's CRD does not have, a rendered CR that the API server or HCO refuses, or
an operator that stops at it. --fail-on warning or info makes it 1 for these as
well. That the files differ from what is rendered is an info.

In a directory that holds several clusters, such as a repository with overlays,
check finds them and checks each by itself: see docs/fleet.md.

A directory that is a bundle of the Operator Lifecycle Manager is checked as such:
the node affinity of its pods, and the labels of its ClusterServiceVersion.`,
		Example: `  goldenarch check overlays/prod
  goldenarch check .
  goldenarch check . --config golden-images.yaml -o sarif > goldenarch.sarif
  goldenarch check ./bundle
  helm template chart | goldenarch check - --workload-architectures amd64,arm64 -o markdown`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.validate(); err != nil {
				return err
			}
			return c.untrusted.named(c.run(cmd.Context(), args))
		},
	}
	c.flags.registry.add(cmd)
	c.flags.addOffline(cmd)
	c.flags.addImages(cmd)
	c.addInput(cmd)
	c.flags.settings.addOwn(cmd, workloads)
	c.addCluster(cmd)
	c.addLive(cmd)
	addFleet(cmd, &c.fleet)
	c.untrusted.add(cmd)
	c.as.add(cmd)
	cmd.Flags().BoolVar(&c.literal, "no-flux-substitution", false, "annotate objects that contain ${...} or $$, as render does")
	cmd.Flags().StringVarP(&c.output, "output", "o", "text", "output format: text, json, markdown, html, sarif, junit (XML), github (workflow commands)")
	cmd.Flags().StringVar(&c.machines, "machines", string(pipeline.MachinesCheck), "what to do about virtual machines: Check, None")
	cmd.Flags().StringVar(&c.facts, "facts", "", "file with the facts about the cluster that runs the virtual machines ('goldenarch forecast -o facts')")
	cmd.Flags().IntVar(&c.expected, "expect-clusters", -1, "fail unless there are this many clusters to check, -1 for any number")
	cmd.Flags().BoolVar(&c.allowEmpty, "allow-empty", false, "pass if there is nothing to check (default: fail)")
	cmd.Flags().StringVar(&c.failOn, "fail-on", string(finding.Error), "fail on findings of this severity or worse: error, warning, info")
	return cmd
}

// validate reports whether the flags have values that they may have.
func (c *checkOptions) validate() error {
	for _, flag := range []struct{ name, what string }{{"output", "output"}, {"fail-on", "severity"}, {"machines", "mode"}} {
		if err := checkFlag(c.flags.command, flag.name, flag.what); err != nil {
			return err
		}
	}
	if err := verdict.As(c.as.stated).Validate(); err != nil {
		return misuse{fmt.Errorf("flag --as: %w", err)}
	}
	if c.expected < -1 {
		return misuse{fmt.Errorf("flag --expect-clusters: %d is not a number of clusters", c.expected)}
	}
	return nil
}

// function returns the function of the run, as the flags have it.
func (c *checkOptions) function() (pipeline.Function, error) {
	function, err := c.inputOptions.function()
	if err != nil {
		return function, err
	}
	function.OutcomesOnly, function.Machines = c.output != "json", pipeline.MachineMode(c.machines)
	function.Facts, err = c.givenFacts()
	return function, err
}

// givenFacts reads the file of --facts; nil without the flag. It may be a ConfigMap that
// publishes the facts, with them as a text.
func (c *checkOptions) givenFacts() ([]*yaml.RNode, error) {
	if c.facts == "" {
		return nil, nil
	}
	items, err := c.readFacts(c.facts, func(*yaml.RNode) bool { return true })
	if err != nil {
		return nil, fmt.Errorf("--facts: %w", err)
	}
	return withPublished(items), nil
}

func (c *checkOptions) run(ctx context.Context, paths []string) error {
	end, err := c.distrust(ctx, paths)
	if err != nil {
		return err
	}
	defer end()
	function, err := c.function()
	if err != nil {
		return err
	}
	before := *c // which the run changes
	bar := newProgress(c.streams.printer)
	if function.Open = withProgress(bar); c.comparesWithBase() {
		function.Open = (&fleet.SharedImages{Next: function.Open}).Open // the base has nearly the same images
	}
	shown, err := c.checked(ctx, paths, function, bar)
	if err != nil {
		return err
	}
	if c.comparesWithBase() {
		if shown.Since, err = before.since(ctx, paths, function, bar, shown); err != nil {
			return err
		}
	}
	return c.show(shown)
}

// checked checks paths, and returns what the reports show.
func (c *checkOptions) checked(ctx context.Context, paths []string, function pipeline.Function, bar *progress) (report.Check, error) {
	c.as.lookIn(c.firstPath(paths), &c.untrusted, c.streams)
	root, is, err := c.statesFleet(paths)
	if err != nil {
		return report.Check{}, err
	}
	if is {
		return c.repository(ctx, root, function, bar, nil)
	}
	read := c.readInput(ctx, paths, function)
	in := read.inputReader
	if root, is := isRepository(in, paths, read.items, read.found); is {
		return c.repository(ctx, root, function, bar, nil)
	}
	root, is = oneDirectory(paths)
	if !is || len(in.bundles) > 0 || len(c.crPaths) > 0 && len(paths) == 0 {
		return c.input(ctx, paths, bar, read, nil)
	}
	return c.directory(ctx, root, bar, read)
}

// readInput reads paths as one input. Of a directory, it passes over what does not matter to the check: most files of
// most repositories. Only what it has read says whether the check is about pods; then it reads these too.
func (c *checkOptions) readInput(ctx context.Context, paths []string, function pipeline.Function) readInput {
	root, skips := oneDirectory(paths)
	skips = skips && !c.literal && !kustomization.In(root)
	read := func(pods bool) readInput {
		in := c.newReader()
		in.runGenerators(ctx, function)
		if skips {
			in.manifests.Skip = func(head manifest.Head) bool { return pipeline.Unneeded(head, pods) }
		}
		items, found := in.read(paths)
		return readInput{inputReader: in, items: items, found: found, function: function}
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
func (c *checkOptions) directory(ctx context.Context, root string, bar *progress, in readInput) (report.Check, error) {
	about, err := in.isAboutPods()
	if err != nil {
		return report.Check{}, err
	}
	c.whole, c.aboutPods = true, about
	_, layout, _, err := c.layout(root, in.function)
	c.whole, c.aboutPods = false, false
	if err != nil {
		return report.Check{}, err
	}
	hides, err := c.hidesClusters(in, root, layout)
	if err != nil {
		return report.Check{}, err
	}
	if hides && len(c.crPaths) == 0 {
		if kustomization.In(root) && !slices.ContainsFunc(layout.Places, func(p repo.Place) bool { return p.Path == filepath.Clean(root) }) {
			return c.repository(ctx, root, in.function, bar, in.found) // nobody else builds it
		}
		return c.repository(ctx, root, in.function, bar, nil)
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
	return c.input(ctx, []string{root}, bar, in, unseen)
}

// input checks paths that are one input. unseen is what else is wrong with the directory, which leaves
// what the files say.
func (c *checkOptions) input(ctx context.Context, paths []string, bar *progress, read readInput, unseen finding.List) (report.Check, error) {
	in, items, function, found := read.inputReader, read.items, read.function, read.found
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
		checked = c.judge(ctx, function, in, input, items, place, func(in *inputReader, function *pipeline.Function) (preparedInput, finding.List, error) {
			items, found := in.read(paths)
			input, more, err := in.preparePaths(function, paths, items)
			return input, append(found, more...), err
		})
		bar.clear()
	}
	if c.literal {
		if err := flux.Literal(checked.Items); err != nil {
			return report.Check{}, err
		}
	}
	root, _ := oneDirectory(paths)
	checked.Findings = slices.Concat(found, c.untrusted.raised(unseen), c.untrusted.ignoredFiles(root), c.untrusted.raised(checked.Findings))
	checked.Except()
	checked.Findings = append(checked.Findings, finding.UnusedOf(checked.Stated)...).Sorted()
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
func (c *checkOptions) judge(
	ctx context.Context, function pipeline.Function, in *inputReader, input preparedInput, own []*yaml.RNode, path string,
	read func(in *inputReader, function *pipeline.Function) (preparedInput, finding.List, error),
) check.Result {
	plugin := in.as.plugin(path, own, input.entry)
	function.As = in.as.of(input.entry)
	function.MayRender = plugin != "" || !in.as.isStated(input.entry) && hasConfiguration(own)
	function.OnServer = func(files []string, argoCD bool) string { return in.as.onServer(path, files, argoCD) }
	applied := in.as.appliedSettings(own, input.entry) // the check takes settings out of a List
	out := function.Check(ctx, input.items, input.steps)
	judgeListed(in, &out, path)
	out.Findings = append(append(out.Findings, applied...), changedByPolicies(function.Carriers, in.checked(own, c.checksMachines(), len(out.Pods) > 0))...)
	out.Findings = append(out.Findings, in.patchFindings(ctx, function, read)...)
	out.Findings = append(out.Findings, in.pluginSettings(function, input, path)...)
	if plugin != "" && !out.Findings.Failed() {
		out.Findings = append(out.Findings, throughPlugin(plugin, path))
	}
	return out
}

// fixOf returns the command that writes what a check of paths misses. What other directories build as well stays, if the paths are
// one directory: a patch says what it misses.
func (c *checkOptions) fixOf(items []*yaml.RNode, paths []string) string {
	dir, ok := oneDirectory(paths)
	if !ok || len(crFilesOutside(items, dir)) == 0 {
		return c.fixCommand(c.withFilesOfFleet(paths)...)
	}
	tree, err := treeOf(paths)
	target, wrong := pathname.Real(dir)
	if err != nil || wrong != nil {
		return c.fixCommand(paths...)
	}
	consumers := edit.ConsumersIn(tree.Root(), repo.Applied)
	for _, file := range crFilesOutside(items, dir) {
		if file, err := pathname.Real(file); err == nil && consumers.Others(target, file) != nil {
			return c.flags.patchCommand("fix", paths...)
		}
	}
	return c.fixCommand(paths...)
}

// crFilesOutside returns the files of the CRs that a directory builds from elsewhere.
func crFilesOutside(items []*yaml.RNode, dir string) []string {
	var out []string
	for _, o := range object.All(items) {
		if file := filepath.FromSlash(o.At.File); kinds.IsCR(o) && file != "" && kustomization.In(dir) && !pathname.Within(filepath.Clean(file), filepath.Clean(dir)) {
			out = append(out, file)
		}
	}
	return out
}

// judgeListed judges that the kustomization of a place lists goldenarch: what applies the
// place must run it.
func judgeListed(in *inputReader, checked *check.Result, place string) {
	switch {
	case len(in.built.Steps) == 0:
	case checked.As == verdict.Rendered:
		checked.NeedsRendering = true
	default:
		checked.Findings = append(checked.Findings, notRun(place, in.as.to(place)))
	}
}

// hasConfiguration reports whether an input has a configuration of goldenarch, by which a plugin of Argo CD finds its directory.
func hasConfiguration(items []*yaml.RNode) bool {
	return slices.ContainsFunc(items, func(item *yaml.RNode) bool {
		return argocd.KindOf(item, []string{argocd.GoldenImages, argocd.Workloads}) != ""
	})
}

// otherNumber reports another number of clusters than the user expects.
func (c *checkOptions) otherNumber(clusters int, names []string) finding.List {
	if c.expected < 0 || c.expected == clusters {
		return nil
	}
	f := finding.Finding{
		ID: finding.ClustersMissing, Severity: finding.Error,
		Text: fmt.Sprintf("goldenarch finds %s to check, and --expect-clusters says %d", finding.Count(clusters, "cluster"), c.expected),
		Do:   "find out which cluster came or went, or correct the number",
	}
	if len(names) > 0 {
		f.Text += ": " + finding.FirstOf(names)
	}
	return finding.List{f}
}

// emptied returns the findings of a check of nothing: it fails, unless the user allows it.
func (c *checkOptions) emptied(shown report.Check) finding.List {
	severity := finding.Error
	if c.allowEmpty {
		severity = finding.Warning
	}
	out, reported := slices.Clone(shown.Findings), false
	for i, f := range out {
		if report.SaysNothingChecked(f) {
			out[i].Severity, reported = severity, true
		}
	}
	if !reported && !out.Failed() {
		out = append(out, finding.Finding{
			ID: finding.NoCR, Severity: severity, Text: "there is nothing to check: the input has no HyperConverged CR",
			Do: "pass the file or directory that has it, or accept that with --allow-empty",
		})
	}
	return out.Sorted()
}

// show prints the whole check, or nothing.
func (c *checkOptions) show(shown report.Check) error {
	shown.Width, shown.Findings = c.streams.printer.Width(), c.streams.named(shown.Findings)
	shown.FailOn, shown.AllowEmpty = finding.Severity(c.failOn), c.allowEmpty
	if !shown.Any() {
		shown.Findings = c.emptied(shown)
	}
	if err := c.streams.show(c.output, func(w io.Writer) error { return checkFormats[c.output](w, shown) }); err != nil {
		return err
	}
	if !slices.Contains(readByPeople, c.output) {
		c.streams.printer.Findings(shown.Shown())
	}
	if !shown.Passed() {
		return errSilent
	}
	return nil
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
		Findings: checked.Findings, Rendered: checked.Rendered, Forecast: checked.Forecast, Place: relative(place, dir), Version: currentBuild().version,
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
