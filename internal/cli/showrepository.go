package cli

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/repo"
	"github.com/goldenarch/goldenarch/internal/report"
	"github.com/goldenarch/goldenarch/internal/sanitize"
	"github.com/goldenarch/goldenarch/internal/verdict"
)

// showRepository prints the check of a repository: the checks of its clusters as one,
// and what was found beside them.
func (c *checkCommand) showRepository(root string, layout repo.Layout, clusters []clusterCheck, found finding.List, dir string) error {
	all := check.Result{Findings: append(found, c.untrusted.raised(failTemplates(c.skipped(layout), layout))...), Rendered: true}
	all.Findings = append(all.Findings, unchecked(layout)...)
	shown := report.Repository{}
	for _, one := range clusters {
		place := relative(one.Path, dir)
		name := cmp.Or(one.Name(), place)
		if one.Name() != "" && slices.ContainsFunc(clusters, func(other clusterCheck) bool { return other.Name() == one.Name() && other.Path != one.Path }) {
			name += " (" + place + ")"
		}
		if !one.hasCR() && len(one.Pods) == 0 {
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
	all.Findings = append(all.Findings, c.otherNumber(len(shown.Clusters), names)...)
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
		const most = 5
		var names []string
		for _, one := range layout.Unseen[:min(len(layout.Unseen), most)] {
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
