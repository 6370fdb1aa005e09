package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/sanitize"
	"github.com/goldenarch/goldenarch/internal/verdict"
)

// clusterCheck is the check of one cluster of a repository.
type clusterCheck struct {
	check.Result

	fleet.Cluster
}

// oneDirectory returns the only path, if it is a directory.
func oneDirectory(paths []string) (string, bool) {
	root := "."
	if len(paths) > 0 {
		root = paths[0]
	}
	info, err := os.Stat(root)
	return root, len(paths) < 2 && err == nil && info.IsDir()
}

// addFleet adds the flag that names a Fleet.
func addFleet(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "fleet", "",
		"file with the Fleet, which states options and nodes of many clusters (default: "+fleet.FileName+" in the directory or above it)")
}

// withFleet adds to a function what a Fleet states about a cluster. It returns the items and
// the steps of the run.
func withFleet(function *pipeline.Function, adds fleet.Additions, items []*yaml.RNode, steps []pipeline.Step) ([]*yaml.RNode, []pipeline.Step) {
	function.Options.FleetRelease = adds.Release
	if policy := function.Policy; policy != nil {
		policy.Items = slices.Concat(policy.Items, adds.Items)
		policy.StatesNodes = policy.StatesNodes || adds.Live != nil
		if adds.Config != nil {
			policy.Operator = adds.Config
		}
		adds.Items = nil
	}
	if adds.Facts != nil && function.Facts == nil {
		function.Facts = withPublished(adds.Facts)
	}
	if adds.Live != nil {
		function.Live = adds.Live
	}
	if adds.Config != nil {
		steps, function.Dir = pipeline.Given(adds.Config), adds.Dir
	}
	return slices.Concat(items, adds.Items), steps
}

// statesFleet reports whether the user has a Fleet for the path, and returns the path.
func (r *render) statesFleet(paths []string) (string, bool, error) {
	root, is := oneDirectory(paths)
	switch {
	case r.fleet != "" && len(r.crPaths) > 0:
		return "", false, misuse{errors.New("--fleet is for the clusters of a directory, and --cr-path for the CR of one: leave out one of them")}
	case len(r.crPaths) > 0:
		return "", false, nil
	case r.fleet != "" && !is:
		return "", false, misuse{errors.New("--fleet is for one directory: name the directory of the repository, or of one cluster")}
	case r.fleet != "":
		return root, true, nil
	}
	file, _ := r.fleetOf(root)
	return root, is && file != "", nil
}

// isRepository reports whether the paths are a directory that must be looked through for
// clusters: it cannot be read as one input, several of its files have a CR, or none has
// one beside templates or charts. A directory with a kustomization or a chart is one
// cluster, and so is what --cr-path names.
func (r *render) isRepository(paths []string, items []*yaml.RNode, found finding.List) (string, bool) {
	root, is := oneDirectory(paths)
	if !is || len(r.bundles)+len(r.crPaths) > 0 || kustomization.In(root) {
		return "", false
	}
	unreadable := slices.ContainsFunc(found, func(f finding.Finding) bool { return f.ID == finding.Unreadable })
	files := map[string]bool{}
	for _, o := range object.All(items) {
		if kinds.IsCR(o) {
			files[o.At.File] = true
		}
	}
	_, err := os.Stat(filepath.Join(root, manifest.ChartFile))
	templated := err != nil && slices.ContainsFunc(found, func(f finding.Finding) bool { return f.ID == finding.Templated })
	return root, unreadable || len(files) > 1 || len(files) == 0 && templated
}

// repository checks the clusters of a repository.
func (c *checkCommand) repository(ctx context.Context, root string, function pipeline.Function, bar *progress) error {
	states, layout, found, err := c.layout(root, function)
	if err != nil {
		return err
	}
	found = append(c.earlier, found...)
	var clusters []clusterCheck
	if !found.Failed() {
		if err := c.forOneCluster(layout); err != nil {
			return err
		}
		clusters = c.checkAll(ctx, root, states.At(layout.Places), states, function)
		bar.clear()
		for _, f := range states.Unmatched(root) {
			f.Severity = finding.Error // a cluster that vanishes is one that nobody checks
			found = append(found, f)
		}
	}
	if err := c.flags.registry.end(); err != nil {
		return err
	}
	found = append(append(found, c.untrusted.raised(failUnseen(layout.Found, layout))...), c.untrusted.ignoredFiles(root)...)
	found = append(found, staleFacts(states, clusters)...)
	return c.showRepository(root, layout, clusters, append(found, c.flags.idleGiven()...), function.Dir)
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
		for _, f := range pipeline.StaleFacts(all, withPublished(files[file])) {
			f.Object.File = file
			found = append(found, f)
		}
	}
	return found
}

// layout reads the Fleet of a repository, and finds its clusters.
func (r *render) layout(root string, function pipeline.Function) (*fleet.Fleet, repo.Layout, finding.List, error) {
	r.as.lookIn(root, &r.untrusted)
	states, found := r.readFleet(root)
	steps, err := r.steps()
	if err != nil {
		return nil, repo.Layout{}, nil, err
	}
	options := repo.Options{
		Pods:       slices.ContainsFunc(configsOf(steps), function.AboutPods) || slices.ContainsFunc(states.Configurations(), function.AboutPods),
		IgnoreFrom: r.untrusted.ignoreFrom(),
		IsBundle:   func(dir string) bool { b, is := bundleIn(dir); return is && !b.hasOldFormat() },
		Named:      append(states.Files(), withoutLinks(r.config, r.live)...), Stated: states.States, CRPath: states.CRPaths(),
		ByDirectory: states != nil || r.byDirectory,
	}
	layout, err := repo.Scan(root, options)
	if r.untrusted.on {
		r.untrusted.scanPolicy(root, options)
	}
	return states, layout, found, err
}

// withoutLinks returns files by their paths, absolute and without links.
func withoutLinks(files ...string) []string {
	var out []string
	for _, file := range files {
		if path, err := filepath.Abs(file); err == nil && file != "" {
			if path, err = filepath.EvalSymlinks(path); err == nil {
				out = append(out, path)
			}
		}
	}
	return out
}

// forOneCluster fails if a flag that is about one cluster is given for several.
func (r *render) forOneCluster(layout repo.Layout) error {
	if len(layout.Places) < 2 {
		return nil
	}
	for name, given := range map[string]bool{"live": r.live != "", "nodes": len(r.nodes) > 0} {
		if given {
			return misuse{
				fmt.Errorf("--%s describes one cluster, and the directory has %d: name one of them, or state the nodes of each in a Fleet", name, len(layout.Places)),
			}
		}
	}
	return nil
}

// checkAll checks clusters, and returns the results in their order.
func (c *checkCommand) checkAll(ctx context.Context, root string, clusters []fleet.Cluster, states *fleet.Fleet, function pipeline.Function) []clusterCheck {
	defer collectRarely()()
	function.Open = (&fleet.SharedImages{Next: function.Open}).Open
	session := &kustomization.Session{}
	return fleet.Run(clusters, func(one fleet.Cluster) clusterCheck {
		place := c.forPlace(one.Place, session)
		if states != nil {
			place.fixed = root // fix reads the Fleet there
		}
		return clusterCheck{Cluster: one, Result: place.checkPlace(ctx, function, one, states)}
	})
}

// showRepository prints the check of a repository: the checks of its clusters as one,
// and what was found beside them.
func (c *checkCommand) showRepository(root string, layout repo.Layout, clusters []clusterCheck, found finding.List, dir string) error {
	all := check.Result{Findings: append(found, c.untrusted.raised(failTemplates(c.skipped(layout), layout))...), Rendered: true}
	all.Findings = append(all.Findings, unchecked(layout)...)
	shown := report.Repository{}
	all.Ignored = map[string]int{}
	for _, one := range clusters {
		all.Stated = append(all.Stated, one.Stated...)
		for by, n := range one.Ignored {
			all.Ignored[by] += n
		}
		place := relative(one.Path, dir)
		name := cmp.Or(one.Name(), place)
		if one.Name() != "" && slices.ContainsFunc(clusters, func(other clusterCheck) bool { return other.Name() == one.Name() && other.Path != one.Path }) {
			name += " (" + place + ")"
		}
		if !one.hasCR() && len(one.Pods)+len(one.Machines) == 0 {
			one.Findings = withoutID(one.Findings, finding.NoCR)
			if !one.Findings.Failed() {
				layout.Without = append(layout.Without, place)
				continue
			}
		}
		if place != "." { // the whole directory needs no name
			one.setCluster(name)
		}
		all.Findings = append(all.Findings, one.Findings...)
		all.Forecast = append(all.Forecast, one.Forecast...)
		all.CRs = append(all.CRs, one.CRs...)
		all.Pods = append(all.Pods, one.Pods...)
		all.Machines, all.MachinesKnown = append(all.Machines, one.Machines...), all.MachinesKnown || one.MachinesKnown
		all.Rendered = all.Rendered && one.Rendered
		all.NeedsRendering = all.NeedsRendering || one.NeedsRendering
		shown.Clusters = append(shown.Clusters, report.Cluster{
			Name: name, Path: place, Kind: string(one.Kind),
			Errors: one.Findings.Count(finding.Error), Warnings: one.Findings.Count(finding.Warning), Rendered: one.Rendered,
			Verdict: c.verdictOf(one), As: cmp.Or(one.As, verdict.Committed),
		})
	}
	var names []string
	for _, one := range shown.Clusters {
		names = append(names, one.Name)
	}
	all.Findings = append(append(all.Findings, finding.UnusedOf(all.Stated)...), c.otherNumber(len(shown.Clusters), names)...)
	if len(shown.Clusters) == 0 && !all.Findings.Failed() {
		all.Findings = append(all.Findings, c.untrusted.raised(finding.List{noCluster(layout, "checks")})...)
	}
	slices.Sort(layout.Without)
	shown.Others = foundBeside(layout)
	all.Findings = all.Findings.Sorted()
	out := shownCheck(all, root, dir)
	out.Repository = &shown
	return c.show(out)
}

// verdictOf returns the verdict of one cluster.
func (c *checkCommand) verdictOf(one clusterCheck) verdict.Verdict {
	return verdict.Of(verdict.Checked{
		Fails: slices.ContainsFunc(one.Findings, func(f finding.Finding) bool { return f.Severity.AtLeast(finding.Severity(c.failOn)) }),
		Any:   true, NeedsRendering: one.NeedsRendering,
	})
}

// hasCR reports whether a cluster has a CR of HCO or SSP, or one that cannot be read.
func (c clusterCheck) hasCR() bool {
	return len(c.CRs) > 0 || slices.ContainsFunc(c.Forecast, func(one forecast.Prediction) bool { return one.Object.Kind == forecast.KindSSP })
}

// setCluster names the cluster in all objects.
func (c *clusterCheck) setCluster(name string) {
	for i := range c.Findings {
		c.Findings[i].Object.Cluster = name
	}
	for i := range c.Forecast {
		c.Forecast[i].Object.Cluster = name
	}
	for i := range c.Pods {
		c.Pods[i].Cluster = name
	}
	for i := range c.CRs {
		c.CRs[i].Object.Cluster = name
	}
	for i := range c.Machines {
		c.Machines[i].Object.Cluster = name
	}
}

func withoutID(list finding.List, id finding.ID) finding.List {
	return slices.DeleteFunc(list, func(f finding.Finding) bool { return f.ID == id })
}

// noCluster says that a repository has no CR that goldenarch reads, and what the verb
// therefore does with nothing: checks, changes, locks.
func noCluster(layout repo.Layout, does string) finding.Finding {
	f := finding.Finding{
		ID: finding.NoCR, Severity: finding.Warning, Text: "the repository has no HyperConverged CR that goldenarch can read, so it " + does + " nothing",
		Do: "pass the file or directory that has the CR",
	}
	if layout.Pods {
		f.Text = "the repository has no HyperConverged CR and no pods that goldenarch can read, so it " + does + " nothing"
		f.Do = "pass the file or directory that has them"
	}
	if layout.Files == 0 && len(layout.Charts) == 0 {
		f.Severity, f.Text = finding.Error, "there is nothing to check: the directory has no manifests"
	}
	return f
}

// skipped reports what may have a CR and was not checked.
func (r *render) skipped(layout repo.Layout) finding.List {
	var found finding.List
	for _, chart := range layout.Charts {
		if !chart.Relevant {
			continue
		}
		f := r.chart(chart.Path, "")
		command := []string{"helm", "template", chart.Path}
		for _, file := range chart.Values {
			command = append(command, "-f", path.Join(chart.Path, file))
		}
		f.Do = fmt.Sprintf("pass what helm renders: %s | %s -", sanitize.Command(command...), r.verb())
		found = append(found, f)
	}
	for _, file := range layout.Templates {
		found = append(found, r.templated(file))
	}
	if len(layout.Unseen) > 0 {
		const maxListed = 5
		var names []string
		for _, one := range layout.Unseen[:min(len(layout.Unseen), maxListed)] {
			names = append(names, one.Path+" ("+one.Because+")")
		}
		if more := len(layout.Unseen) - len(names); more > 0 {
			names = append(names, fmt.Sprintf("and %d more", more))
		}
		found = append(found, finding.Finding{
			ID: finding.ClusterUnseen, Severity: finding.Warning,
			Text: fmt.Sprintf("goldenarch cannot look for %s in %s: %s",
				checkedThings(layout), finding.Count(len(layout.Unseen), "kustomization"), strings.Join(names, ", ")),
			Do: "if one of them has " + checkedThings(layout) + ", pass what kustomize builds: kustomize build DIR | " + r.verb() + " -",
		})
	}
	return found
}

// checkedThings names what goldenarch looks for in a repository.
func checkedThings(layout repo.Layout) string {
	if layout.Pods {
		return "a CR or pods"
	}
	return "a CR"
}

// foundBeside counts what was found beside the clusters.
func foundBeside(layout repo.Layout) []report.Group {
	var out []report.Group
	add := func(what string, names []string) {
		if len(names) > 0 {
			out = append(out, report.Group{What: what, Count: len(names), Names: names})
		}
	}
	count := func(what string, n int) {
		if n > 0 {
			out = append(out, report.Group{What: what, Count: n})
		}
	}
	var charts, unseen []string
	for _, chart := range layout.Charts {
		charts = append(charts, chart.Path)
	}
	for _, one := range layout.Unseen {
		unseen = append(unseen, one.Path)
	}
	count("files read", layout.Files)
	without := "kustomizations and directories without a HyperConverged CR"
	if layout.Pods {
		without += " or pods"
	}
	add(without, layout.Without)
	add("kustomizations that others include", layout.Shared)
	add("kustomizations that goldenarch cannot look into", unseen)
	add("Helm charts, which only helm renders", charts)
	add("bundles of the Operator Lifecycle Manager, which --workloads Check checks", layout.Bundles)
	add("files that may have pods and are not listed in the kustomization of their directory", layout.Unlisted)
	count("Applications of Argo CD", layout.Applications)
	count("ApplicationSets of Argo CD", layout.ApplicationSets)
	add("ApplicationSets whose directories only Argo CD knows", layout.Unfollowed)
	add("templates that mention a HyperConverged CR, skipped", layout.Templates)
	add("files that mention a HyperConverged CR and are not Kubernetes objects, skipped", layout.Others)
	for i := range out {
		for j, name := range out[i].Names {
			out[i].Names[j] = filepath.ToSlash(name)
		}
	}
	return out
}
