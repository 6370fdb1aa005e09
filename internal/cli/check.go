package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/flux"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
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

// read are the formats that people read where goldenarch prints them. The other formats
// go to files, so goldenarch also prints the findings on standard error.
var read = []string{"text", "github"}

// checkCommand is the verb's flags and streams.
type checkCommand struct {
	render
	output string
	failOn string
	// machines is the value of --machines, and facts the file of --facts.
	machines, facts string
	// allowEmpty says that a check of nothing passes, and expected is how many clusters the
	// user expects; below 0 for any number.
	allowEmpty bool
	expected   int
	// earlier are the findings about interrupted runs.
	earlier finding.List
}

func newCheck(streams Streams) *cobra.Command {
	c := &checkCommand{render: render{streams: streams, imports: true}}
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
			if checkFormats[c.output] == nil {
				return checkValue("output", "output", c.output, "text", "json", "markdown", "html", "sarif", "junit", "github")
			}
			if err := checkValue("fail-on", "severity", c.failOn, string(finding.Error), string(finding.Warning), string(finding.Info)); err != nil {
				return err
			}
			if err := checkValue("machines", "mode", c.machines, string(pipeline.MachinesCheck), string(pipeline.MachinesNone)); err != nil {
				return err
			}
			if _, err := verdict.ParseAs(c.as.stated); err != nil {
				return misuse{fmt.Errorf("flag --as: %w", err)}
			}
			if c.expected < 0 && cmd.Flags().Changed("expect-clusters") {
				return misuse{fmt.Errorf("flag --expect-clusters: %d is not a number of clusters", c.expected)}
			}
			return c.run(cmd.Context(), args)
		},
	}
	c.flags.add(cmd)
	c.flags.leaveIdle("mode")
	c.flags.addOffline(cmd)
	c.flags.addImages(cmd)
	c.addNodes(cmd)
	c.addLive(cmd)
	c.addCRPath(cmd)
	c.flags.registry.addRecord(cmd)
	cmd.Flags().StringVar(&c.config, "config", "", "file with the GoldenImages configuration")
	addFleet(cmd, &c.fleet)
	c.untrusted.add(cmd)
	cmd.Flags().BoolVar(&c.strict, "strict", false,
		"fail on a templated file, a field that may be unknown, and a release newer than the newest verified one (default: warn)")
	cmd.Flags().BoolVar(&c.literal, "no-flux-substitution", false, "annotate objects that contain ${...}, as render does")
	cmd.Flags().StringVarP(&c.output, "output", "o", "text", "output format: text, json, markdown, html, sarif, junit (XML), github (workflow commands)")
	c.as.add(cmd)
	cmd.Flags().StringVar(&c.machines, "machines", string(pipeline.MachinesCheck), "what to do about virtual machines: Check, None")
	cmd.Flags().StringVar(&c.facts, "facts", "", "file with the facts about the cluster that runs the virtual machines ('goldenarch forecast -o facts')")
	cmd.Flags().IntVar(&c.expected, "expect-clusters", -1, "fail unless there are this many clusters to check, -1 for any number")
	cmd.Flags().BoolVar(&c.allowEmpty, "allow-empty", false, "pass if there is nothing to check (default: fail)")
	cmd.Flags().StringVar(&c.failOn, "fail-on", string(finding.Error), "fail on findings of this severity or worse: error, warning, info")
	return cmd
}

// function returns the function of the run, as the flags have it.
func (c *checkCommand) function() (pipeline.Function, error) {
	function, err := c.flags.function()
	if err != nil {
		return function, err
	}
	function.Strict, function.OutcomesOnly, function.Machines = c.strict, c.output != "json", pipeline.MachineMode(c.machines)
	function.Facts, err = c.givenFacts()
	return function, err
}

func (c *checkCommand) run(ctx context.Context, paths []string) error {
	end, err := c.distrust(ctx, paths)
	if err != nil {
		return err
	}
	defer end()
	function, err := c.function()
	if err != nil {
		return err
	}
	bar := newProgress(c.streams.printer)
	function.Open = withProgress(bar)
	dir := function.Dir
	c.as.lookIn(c.firstPath(paths), &c.untrusted)
	c.earlier = interrupted(c.crPaths.files(paths))
	root, is, err := c.statesFleet(paths)
	if err != nil {
		return err
	}
	if is {
		return c.repository(ctx, root, function, bar)
	}
	c.runGenerators(ctx, function)
	items, found := c.read(paths)
	if root, is := c.isRepository(paths, items, found); is {
		return c.repository(ctx, root, function, bar)
	}
	root, is, err = c.hidesClusters(paths, items, found, function)
	if err != nil {
		return err
	}
	if is {
		c.warned, c.unlisted, c.builds, c.files = nil, nil, nil, nil // of the directory as one input
		return c.repository(ctx, root, function, bar)
	}
	if root, is := oneDirectory(paths); is {
		unseen, err := c.unseenIn(root, items, found, function)
		if err != nil {
			return err
		}
		found = append(found, unseen...)
	}
	found = append(c.earlier, found...)
	var checked check.Result
	if !withoutID(slices.Clone(found), finding.Undecodable).Failed() {
		steps, err := c.steps()
		if err != nil {
			return err
		}
		place := c.firstPath(paths)
		if err := c.giveFacts(&function, place, items); err != nil {
			return err
		}
		if c.hasPatch() {
			function.Open = (&fleet.SharedImages{Next: function.Open}).Open
		}
		found = append(found, c.givePolicyOf(&function, paths)...)
		given := items
		var entry *v1alpha1.FleetCluster
		var more finding.List
		items, steps, entry, more = c.fromFleet(&function, paths, items, steps)
		found = append(found, more...)
		function.FixCommand = c.fixCommand(c.withFilesOfFleet(paths)...)
		function.As = func(files []string) verdict.As { return c.as.ofFiles(place, files, entry, &c.untrusted) }
		function.OnServer = func(files []string, argoCD bool) string { return c.as.onServer(place, files, argoCD, &c.untrusted) }
		checked = function.Check(ctx, items, steps)
		c.judgeListed(&checked, place, entry)
		checked.Findings = append(checked.Findings, c.as.appliedSettings(given, entry, &c.untrusted)...)
		checked.Findings = append(checked.Findings, c.patchFindings(ctx, function, func(one *render) ([]*yaml.RNode, []pipeline.Step, finding.List) {
			items, found := one.read(paths)
			steps, err := one.steps()
			if err != nil {
				return nil, nil, unread(err)
			}
			return items, steps, found
		})...)
		bar.clear()
	}
	if err := c.flags.registry.end(); err != nil {
		return err
	}
	if c.literal {
		if err := flux.Literal(checked.Items); err != nil {
			return err
		}
	}
	root, _ = oneDirectory(paths)
	found = append(found, c.untrusted.ignoredFiles(root)...)
	checked.Findings = append(append(found, c.untrusted.raised(checked.Findings)...), c.flags.idleGiven()...)
	checked.Except()
	checked.Findings = append(checked.Findings, finding.UnusedOf(checked.Stated)...).Sorted()
	checked.Findings = kustomization.Located(c.builds, checked.Findings)
	shown := shownCheck(checked, cmp.Or(c.firstPath(paths), "."), dir)
	shown.Bundles, shown.Catalogs = len(c.bundles), len(c.catalogs)
	clusters := 0
	if shown.Any() {
		clusters = 1
	}
	shown.Findings = append(shown.Findings, c.otherNumber(clusters, nil)...)
	return c.show(shown)
}

// judgeListed judges that the kustomization of a place lists goldenarch: what applies the
// place must run it.
func (c *checkCommand) judgeListed(checked *check.Result, place string, entry *v1alpha1.FleetCluster) {
	if len(c.built.Steps) == 0 {
		return
	}
	as, all := c.as.of(place, entry, &c.untrusted)
	checked.As = as
	if as == verdict.Rendered {
		checked.NeedsRendering = true
		return
	}
	checked.Findings = append(checked.Findings, notRun(place, all))
}

// changedOnTheWay reports what applies a place, or the files of its CRs, and changes them.
func (c *checkCommand) changedOnTheWay(crs []check.CR, place string) finding.List {
	var out finding.List
	reported := map[string]bool{}
	for _, cr := range crs {
		for _, path := range []string{place, filepath.FromSlash(cr.Object.File)} {
			if path == manifest.Stdin || path == "" || path != place && kustomization.In(place) {
				continue
			}
			for _, r := range c.as.to(directoryOf(path, &c.untrusted)) {
				if len(r.Changes) == 0 || reported[r.By] {
					continue
				}
				reported[r.By] = true
				out = append(out, finding.Finding{
					ID: finding.ChangedOnTheWay, Severity: finding.Error, Object: cr.Object,
					Text: fmt.Sprintf("%s applies this directory and changes what is in it (%s), so goldenarch does not know what the cluster gets",
						r.By, strings.Join(r.Changes, ", ")),
					Do: "move these fields into the kustomization of the directory",
				})
			}
		}
	}
	return out
}

// otherNumber reports another number of clusters than the user expects.
func (c *checkCommand) otherNumber(clusters int, names []string) finding.List {
	if c.expected < 0 || c.expected == clusters {
		return nil
	}
	f := finding.Finding{
		ID: finding.ClustersMissing, Severity: finding.Error,
		Text: fmt.Sprintf("there are %s to check, and --expect-clusters says %d", finding.Count(clusters, "cluster"), c.expected),
		Do:   "find out which cluster came or went, or correct the number",
	}
	if len(names) > 0 {
		f.Text += ": " + finding.FirstOf(names)
	}
	return finding.List{f}
}

// emptied returns the findings of a check of nothing: it fails, unless the user allows it.
func (c *checkCommand) emptied(shown report.Check) finding.List {
	severity := finding.Error
	if c.allowEmpty {
		severity = finding.Warning
	}
	out, reported := slices.Clone(shown.Findings), false
	for i, f := range out {
		if f.ID == finding.NoCR {
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
func (c *checkCommand) show(shown report.Check) error {
	shown.Width = c.streams.printer.Width()
	shown.FailOn, shown.AllowEmpty = finding.Severity(c.failOn), c.allowEmpty
	if !shown.Any() {
		shown.Findings = c.emptied(shown)
	}
	var out bytes.Buffer
	if err := checkFormats[c.output](&out, shown); err != nil {
		return err
	}
	if _, err := c.streams.printer.Report(c.output).Write(out.Bytes()); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	if !slices.Contains(read, c.output) {
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
	at := func(o finding.Object) finding.Object {
		o.File = relative(o.File, dir)
		return o
	}
	out := report.Check{
		Rendered: checked.Rendered, Forecast: checked.Forecast, Place: relative(place, dir), Version: currentBuild().version,
		As: checked.As, NeedsRendering: checked.NeedsRendering, Ignored: checked.Ignored,
	}
	for _, f := range checked.Findings {
		f.Object = at(f.Object)
		f.File = relative(f.File, dir)
		out.Findings = append(out.Findings, f)
	}
	for i := range out.Forecast {
		out.Forecast[i].Object = at(out.Forecast[i].Object)
	}
	for _, o := range checked.Pods {
		out.Pods = append(out.Pods, at(o))
	}
	out.MachinesKnown = checked.MachinesKnown
	for _, r := range checked.Machines {
		r.Object = at(r.Object)
		for i := range r.Findings {
			r.Findings[i].Object = r.Object
		}
		out.Machines = append(out.Machines, r)
	}
	for _, cr := range checked.CRs {
		out.CRs = append(out.CRs, report.CR{
			Object: at(cr.Object), TemplatesPath: cr.TemplatesPath, Templates: cr.Templates, Changes: cr.Changes,
		})
	}
	return out
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

// placeCheck is the check of one place of a repository.
type placeCheck struct {
	checkCommand

	session *kustomization.Session
	// fixed is what fix must get to write into the files of the place; "" for the place.
	fixed string
}

// forPlace returns the command with what it reads for one place alone.
func (c *checkCommand) forPlace(place repo.Place, session *kustomization.Session) *placeCheck {
	one := &placeCheck{session: session, checkCommand: checkCommand{render: c.forPlaceOnly(place)}}
	one.build = c.build
	return one
}

// forPlaceOnly returns the flags of the verb, to read one place alone.
func (r *render) forPlaceOnly(place repo.Place) render {
	out := render{
		streams: r.streams, flags: r.flags, config: r.config, strict: r.strict, literal: r.literal, nodes: r.nodes, live: r.live, imports: r.imports,
		untrusted: r.untrusted, as: r.as,
	}
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
	if place.CRPath != nil {
		r.crPaths = crPaths{*place.CRPath}
		return r.readAll(nil)
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
	if err := c.giveFacts(&function, place.Path, items); err != nil {
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
	given := items
	items, steps = withFleet(&function, adds, items, steps)
	function.FixCommand = c.fixCommand(cmp.Or(c.fixed, place.Path))
	function.As = func(files []string) verdict.As { return c.as.ofFiles(place.Path, files, place.Entry, &c.untrusted) }
	function.OnServer = func(files []string, argoCD bool) string {
		return c.as.onServer(place.Path, files, argoCD, &c.untrusted)
	}
	out := function.Check(ctx, items, steps)
	c.judgeListed(&out, place.Path, place.Entry)
	out.Findings = append(out.Findings, c.changedOnTheWay(out.CRs, place.Path)...)
	out.Findings = append(out.Findings, c.as.appliedSettings(given, place.Entry, &c.untrusted)...)
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
	out.Findings = append(found, out.Findings...)
	out.Except()
	out.Findings = c.session.Located(c.builds, out.Findings)
	for i, one := range out.Stated {
		out.Stated[i].Finding = c.session.Located(c.builds, finding.List{one.Finding})[0]
	}
	return out.Summary()
}
